/** Faults that could be in a program without a compiler's noticing, found in its sources by their shape. */
import { parseSync } from 'oxc-parser';
import { isNode, walk } from '../support/modules.ts';
import type { Node } from '../support/modules.ts';

/** A place and what is written there instead. `from` and `to` are offsets in characters. */
export interface Fault {
  readonly kind: FaultKind;
  /** From the root. */
  readonly path: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Edit {
  readonly at: Node;
  readonly text: string;
}

type Finder = (node: Node, textOf: (node: Node) => string, parents: readonly Node[]) => Edit | undefined;

const shifted: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

/** What each kind makes of a node of its shape. */
const finders = {
  'negated condition'(node, textOf) {
    const test = node['test'];
    if (!isNode(test) || !['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(node.type))
      return undefined;
    return { at: test, text: `!(${textOf(test)})` };
  },
  'dropped await'(node, textOf, parents) {
    if (node.type !== 'AwaitExpression' || parents.at(-1)?.type === 'ForOfStatement') return undefined;
    // A value that somebody goes on with would be a promise, which the compiler tells.
    if (!['ExpressionStatement', 'ReturnStatement', 'ArrowFunctionExpression'].includes(parents.at(-1)?.type ?? ''))
      return undefined;
    return { at: node, text: textOf(node['argument'] as Node) };
  },
  'swapped arguments'(node, textOf) {
    if (node.type !== 'CallExpression') return undefined;
    const [first, second] = node['arguments'] as readonly Node[];
    if (!first || !second || [first, second].some(({ type }) => /Function|Spread/.test(type))) return undefined;
    if (textOf(first) === textOf(second)) return undefined;
    const between = { ...first, end: second.end };
    return { at: between, text: `${textOf(second)}, ${textOf(first)}` };
  },
  'off by one'(node, textOf) {
    if (node.type !== 'BinaryExpression') return undefined;
    const [left, right, operator] = [node['left'] as Node, node['right'] as Node, String(node['operator'])];
    const other = shifted[operator];
    if (other !== undefined) return { at: node, text: `${textOf(left)} ${other} ${textOf(right)}` };
    if ((operator === '+' || operator === '-') && right.type === 'Literal' && typeof right['value'] === 'number')
      return { at: right, text: String(right['value'] + 1) };
    return undefined;
  },
  /** What is read there may have changed before the transaction commits. */
  'read outside its transaction'(node, textOf, parents) {
    if (node.type !== 'MemberExpression' || textOf(node['object'] as Node) !== 'tx') return undefined;
    if (!['get', 'find', 'findEach', 'count'].includes(textOf(node['property'] as Node))) return undefined;
    const transaction = parents.findLast(
      ({ type, callee }) => type === 'CallExpression' && isNode(callee) && textOf(callee).endsWith('.transact'),
    );
    if (transaction === undefined) return undefined;
    const store = textOf(transaction['callee'] as Node).replace(/\.transact$/, '');
    return { at: node['object'] as Node, text: store };
  },
} satisfies Record<string, Finder>;
export type FaultKind = keyof typeof finders;
export const faultKinds = Object.keys(finders) as FaultKind[];

/** Every fault that could be planted in a source. */
export function faultsIn(path: string, source: string): Fault[] {
  const { program } = parseSync(path, source);
  const faults: Fault[] = [];
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  walk(program as unknown as Node, (node, parents) => {
    for (const kind of faultKinds) {
      const edit = (finders[kind] as Finder)(node, textOf, parents);
      if (edit === undefined) continue;
      const { start: from, end: to } = edit.at;
      faults.push({ kind, path, line: source.slice(0, from).split('\n').length, from, to, text: edit.text });
    }
  });
  return faults;
}

export const planted = (source: string, { from, to, text }: Fault): string =>
  source.slice(0, from) + text + source.slice(to);
