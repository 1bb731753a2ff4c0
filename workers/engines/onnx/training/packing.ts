/** Tree packing: sequences become the fewest rows of tokens, none computing a shared prefix twice. */
import { promptOf, type TargetedSequence } from './datum-targets';
import { TokenTree } from './token-tree';

/** Attention costs a row's length for each token, padding included, and short rows pack badly. */
const MIN_ROW_LENGTH = 128;

/** Smallest row length that holds `size` tokens: powers of two from `MIN_ROW_LENGTH`, so that few graphs serve all. */
export function rowLengthFor(size: number): number {
  let length = MIN_ROW_LENGTH;
  while (length < size) length *= 2;
  return length;
}

export interface PackingOptions {
  /** Share prefixes and rows, default true; without it every sequence has a row of its own. */
  share?: boolean;
}

/**
 * Packs sequences into rows of at most `rowLengthFor(row.size)` tokens. Sequences with one prompt (the tokens up to
 * their first target) stay together as far as a row holds them; then first fit by decreasing size, preferring the row
 * that shares most. Depends on the data alone. Sequences without a target are left out.
 */
export function packRows(sequences: readonly TargetedSequence[], options: PackingOptions = {}): TokenTree[] {
  const members = sequences
    .map((sequence, id) => ({ sequence, id }))
    .filter(({ sequence }) => sequence.tokens.length > 0);
  if (options.share === false) return members.map((member) => treeOf([member]));
  const bundles = groupByPrompt(members).flatMap(splitToRows);
  bundles.sort((left, right) => right.size - left.size);
  const rows: TokenTree[] = [];
  for (const bundle of bundles) {
    const row = bestRow(rows, bundle) ?? rows[rows.push(new TokenTree()) - 1];
    for (const { sequence, id } of bundle.members) row?.insert(sequence, id);
  }
  return rows;
}

interface Member {
  sequence: TargetedSequence;
  id: number;
}

/** Sequences of one prompt that fit a row, and the tokens they need without help from others. */
interface Bundle {
  members: Member[];
  size: number;
}

function treeOf(members: readonly Member[]): TokenTree {
  const tree = new TokenTree();
  for (const { sequence, id } of members) tree.insert(sequence, id);
  return tree;
}

function groupByPrompt(members: readonly Member[]): Member[][] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const key = promptOf(member.sequence).join();
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  return [...groups.values()];
}

function splitToRows(group: readonly Member[]): Bundle[] {
  const bundles: Bundle[] = [];
  let tree = new TokenTree();
  let members: Member[] = [];
  const close = () => {
    if (members.length > 0) bundles.push({ members, size: tree.size });
    tree = new TokenTree();
    members = [];
  };
  for (const member of group) {
    const { sequence, id } = member;
    const grown = tree.size + sequence.tokens.length - tree.sharedLength(sequence);
    if (grown > rowLengthFor(sequence.tokens.length)) close();
    tree.insert(sequence, id);
    members.push(member);
  }
  close();
  return bundles;
}

function bestRow(rows: readonly TokenTree[], bundle: Bundle): TokenTree | undefined {
  const first = bundle.members[0];
  if (!first) return undefined;
  let best: TokenTree | undefined;
  let bestShared = -1;
  for (const row of rows) {
    if (row.size === rowLengthFor(row.size)) continue;
    const shared = row.sharedLength(first.sequence);
    const fits = row.size + bundle.size - shared <= rowLengthFor(row.size);
    if (fits && shared > bestShared) {
      best = row;
      bestShared = shared;
    }
  }
  return best;
}
