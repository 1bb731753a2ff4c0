import { describe, expect, it } from 'vitest';
import {
  escapeCsv,
  escapeLatex,
  escapeMarkdown,
  fileName,
  formatTable,
  type ExportTable,
} from './table-formats';

const TABLE: ExportTable = {
  title: 'Compare',
  filters: [
    { name: 'baseline', value: 'r-1 step 0' },
    { name: 'decoding', value: 'sampled' },
  ],
  columns: [{ title: 'Checkpoint' }, { title: 'valid_seen, %', numeric: true }],
  rows: [
    {
      cells: ['a_b, step 40', '80/140 57.1 [48.9, 65.0]'],
      values: { checkpoint: 'a_b, step 40', k: 80, n: 140 },
    },
    { cells: ['[best] & 100%', 'n/a'], values: { checkpoint: '[best] & 100%', k: null, n: null } },
  ],
};

describe('a table in LaTeX', () => {
  it('is a float of booktabs with the filters in its caption', () => {
    expect(formatTable(TABLE, 'latex')).toBe(`% needs \\usepackage{booktabs}
\\begin{table}
  \\centering
  \\caption{Compare. baseline: r-1 step 0. decoding: sampled}
  \\begin{tabular}{lr}
    \\toprule
    Checkpoint & valid\\_seen, \\% \\\\
    \\midrule
    a\\_b, step 40 & 80/140 57.1 [48.9, 65.0] \\\\
    {}[best] \\& 100\\% & n/a \\\\
    \\bottomrule
  \\end{tabular}
\\end{table}
`);
  });

  it.each([
    ['\\input{/etc/passwd}', '\\textbackslash{}input\\{/etc/passwd\\}'],
    ['$x^2$ ~#"|', '\\$x\\textasciicircum{}2\\$ \\textasciitilde{}\\#\\textquotedbl{}\\textbar{}'],
    [
      '86.79 ± 1.52, −0.7 pp, could see >= 7.5',
      '86.79 $\\pm$ 1.52, $-$0.7 pp, could see \\textgreater{}= 7.5',
    ],
    ['two\nlines', 'two lines'],
    ['*', '{}*'],
    ['室内', '室内'],
  ])('sets %o as it stands', (text, escaped) => {
    expect(escapeLatex(text)).toBe(escaped);
  });
});

describe('a table in Markdown', () => {
  it('has title, filters and a row a line', () => {
    expect(formatTable(TABLE, 'markdown')).toBe(`**Compare**

baseline: r-1 step 0. decoding: sampled

| Checkpoint | valid\\_seen, % |
| --- | ---: |
| a\\_b, step 40 | 80/140 57.1 \\[48.9, 65.0\\] |
| \\[best\\] &amp; 100% | n/a |
`);
  });

  it.each([
    ['a|b', 'a\\|b'],
    ['<script>', '&lt;script\\>'],
    ['`x` *y* \\|', '\\`x\\` \\*y\\* \\\\\\|'],
    ['two\r\nlines', 'two lines'],
  ])('shows %o as it stands', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });
});

describe('a table in CSV', () => {
  it('has the exact values under their names, the filters beside them, and nothing for what is missing', () => {
    expect(formatTable(TABLE, 'csv')).toBe(
      'checkpoint,k,n,baseline,decoding\r\n' +
        '"a_b, step 40",80,140,r-1 step 0,sampled\r\n' +
        '[best] & 100%,,,r-1 step 0,sampled\r\n',
    );
  });

  it.each([
    ['say "no"', '"say ""no"""'],
    ['a\nb', '"a\nb"'],
    [' x', '" x"'],
    ['', ''],
    [0.1 + 0.2, '0.30000000000000004'],
    [NaN, 'NaN'],
    [true, 'true'],
  ])('writes %o as %o', (value, written) => {
    expect(escapeCsv(value)).toBe(written);
  });
});

it('in JSON reads back as what it was, with NaN by name', () => {
  const table = { ...TABLE, rows: [{ cells: ['x', 'y'], values: { k: 0.1, rate: NaN, note: null } }] };
  expect(JSON.parse(formatTable(table, 'json'))).toEqual({
    title: 'Compare',
    filters: { baseline: 'r-1 step 0', decoding: 'sampled' },
    rows: [{ k: 0.1, rate: 'NaN', note: null }],
  });
});

it('a file is named after its title', () => {
  expect(fileName('By task type, valid_seen', 'tex')).toBe('by-task-type-valid-seen.tex');
  expect(fileName('…', 'csv')).toBe('stepscope.csv');
});
