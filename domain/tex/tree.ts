/**
 * A formula as a tree. It only distinguishes what is spoken or shown in a line; sizes, colours and spaces are left out.
 */
export type TexNode =
  /** One sign as typed: a letter or a mark. */
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  /** A command for one sign or the name of a function. */
  | { readonly kind: 'sign'; readonly name: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'row'; readonly items: readonly TexNode[] }
  | { readonly kind: 'fraction'; readonly top: TexNode; readonly bottom: TexNode }
  | { readonly kind: 'binomial'; readonly top: TexNode; readonly bottom: TexNode }
  | { readonly kind: 'root'; readonly degree: TexNode | null; readonly body: TexNode }
  | TexScripts
  | { readonly kind: 'accent'; readonly name: string; readonly body: TexNode }
  | {
      readonly kind: 'stack';
      readonly base: TexNode;
      readonly above: TexNode | null;
      readonly below: TexNode | null;
    }
  | TexBrackets
  | TexTable
  | { readonly kind: 'font'; readonly name: string; readonly body: TexNode }
  | { readonly kind: 'not'; readonly body: TexNode };

export interface TexScripts {
  readonly kind: 'scripts';
  readonly base: TexNode;
  readonly sub: TexNode | null;
  readonly sup: TexNode | null;
  readonly primes: number;
}

/** `open` and `close` may differ, as for an interval, or be empty. */
export interface TexBrackets {
  readonly kind: 'brackets';
  readonly open: string;
  readonly close: string;
  readonly items: readonly TexNode[];
}

export interface TexTable {
  readonly kind: 'table';
  readonly environment: string;
  readonly rows: readonly (readonly TexNode[])[];
}
