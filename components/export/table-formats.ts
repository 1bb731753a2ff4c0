/** A table as it leaves the screen: what is read, and the exact values behind it. */
export interface ExportTable {
  title: string;
  /** What the rows were chosen and counted by, named with every export: `split` `valid_seen`. */
  filters: readonly { name: string; value: string }[];
  columns: readonly { title: string; numeric?: boolean }[];
  rows: readonly ExportRow[];
}

export interface ExportRow {
  /** As on screen, one a column; `n/a` where there is none. */
  cells: readonly string[];
  /** Unrounded, fractions not percent, null where there is none; the same names in every row. */
  values: Readonly<Record<string, ExportValue>>;
}

export type ExportValue = string | number | boolean | null;

export const TABLE_FORMATS = ['latex', 'markdown', 'csv', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

export const TABLE_FORMAT_TITLES: Record<TableFormat, string> = {
  latex: 'LaTeX',
  markdown: 'Markdown',
  csv: 'CSV',
  json: 'JSON',
};

export const TABLE_FILES: Record<TableFormat, { extension: string; type: string }> = {
  latex: { extension: 'tex', type: 'application/x-tex' },
  markdown: { extension: 'md', type: 'text/markdown' },
  csv: { extension: 'csv', type: 'text/csv' },
  json: { extension: 'json', type: 'application/json' },
};

/** A table as text. LaTeX and Markdown hold what is on screen, CSV and JSON the exact values. */
export function formatTable(table: ExportTable, format: TableFormat): string {
  switch (format) {
    case 'latex':
      return toLatex(table);
    case 'markdown':
      return toMarkdown(table);
    case 'csv':
      return toCsv(table);
    case 'json':
      return toJson(table);
  }
}

/** A `table` float; it needs the package booktabs. */
function toLatex({ title, filters, columns, rows }: ExportTable): string {
  const line = (cells: readonly string[]) => `    ${cells.map(escapeLatex).join(' & ')} \\\\`;
  return [
    '% needs \\usepackage{booktabs}',
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${escapeLatex([title, ...filterWords(filters)].join('. '))}}`,
    `  \\begin{tabular}{${columns.map(({ numeric }) => (numeric ? 'r' : 'l')).join('')}}`,
    '    \\toprule',
    line(columns.map((column) => column.title)),
    '    \\midrule',
    ...rows.map(({ cells }) => line(cells)),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

const LATEX_SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '±': '$\\pm$',
  '−': '$-$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '×': '$\\times$',
  '→': '$\\to$',
  '·': '$\\cdot$',
  '…': '\\ldots{}',
  '\n': ' ',
  '\r': ' ',
};

/** Text that LaTeX sets as it stands. A bracket that begins a row would be read as an argument of the line break before it. */
export function escapeLatex(text: string): string {
  const escaped = Array.from(text, (sign) => LATEX_SIGNS[sign] ?? sign).join('');
  return /^[[*]/.test(escaped) ? `{}${escaped}` : escaped;
}

/** A GitHub table under its title, with the filters in a line of their own. */
function toMarkdown({ title, filters, columns, rows }: ExportTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    `**${escapeMarkdown(title)}**`,
    '',
    ...(filters.length > 0 ? [escapeMarkdown(filterWords(filters).join('. ')), ''] : []),
    line(columns.map((column) => column.title)),
    `| ${columns.map(({ numeric }) => (numeric ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(({ cells }) => line(cells)),
    '',
  ].join('\n');
}

/** Text that Markdown shows as it stands, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\r\n|\r|\n/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]|~#>]/g, '\\$&');
}

/** RFC 4180 with a header; the filters are columns, so that rows of two exports can be told apart. Null is empty. */
function toCsv({ filters, rows }: ExportTable): string {
  const names = [...Object.keys(rows[0]?.values ?? {}), ...filters.map(({ name }) => name)];
  const lines = rows.map(({ values }) => [...Object.values(values), ...filters.map(({ value }) => value)]);
  return [names, ...lines].map((line) => `${line.map(escapeCsv).join(',')}\r\n`).join('');
}

/** A field, in quotes where it holds a comma, a quote, a line break or a space at an end. */
export function escapeCsv(value: ExportValue): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function toJson({ title, filters, rows }: ExportTable): string {
  return `${JSON.stringify(
    {
      title,
      filters: Object.fromEntries(filters.map(({ name, value }) => [name, value])),
      rows: rows.map(({ values }) => values),
    },
    // JSON has no word for them, and null would read as missing.
    (_name, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value),
    2,
  )}\n`;
}

function filterWords(filters: ExportTable['filters']): string[] {
  return filters.map(({ name, value }) => `${name}: ${value}`);
}

/** A file's name from a table's or chart's title: letters, digits and dashes. */
export function fileName(title: string, extension: string): string {
  const stem = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return `${stem || 'stepscope'}.${extension}`;
}
