import { Fragment, type ElementType, type ReactElement, type ReactNode } from 'react';

/** Creates a `<span>` around a text. */
export type WrapText = (text: string) => ReactElement;

export interface ElementProps {
  readonly children?: ReactNode;
}

const isText = (child: unknown): child is string | number =>
  (typeof child === 'string' && child !== '') || typeof child === 'number';

const isBlank = (child: unknown) =>
  child === null || child === undefined || child === '' || typeof child === 'boolean';

/**
 * Wraps the texts among children into elements. Adjacent texts become one, as the browser lays them out; the positions
 * of all other children stay.
 */
function wrapTexts(children: readonly ReactNode[], wrap: WrapText): ReactNode[] {
  const separated: ReactNode[] = [];
  let run = '';
  let start = 0;
  const endRun = () => {
    if (run !== '') separated[start] = wrap(run);
    run = '';
  };
  for (const [index, child] of children.entries()) {
    if (isText(child)) {
      if (run === '') start = index;
      run += String(child);
      separated.push(null);
    } else {
      if (!isBlank(child)) endRun();
      separated.push(child);
    }
  }
  endRun();
  return separated;
}

/**
 * Gives a text that stands beside other children an element of its own.
 *
 * The translation of a browser and some extensions replace text nodes by elements. React holds on to the text
 * nodes that it made beside other children: it writes into nodes that nobody sees, and `removeChild` or
 * `insertBefore` throws. The only text of an element it writes through its element, which always works.
 */
export function separateText<Props extends ElementProps>(
  type: ElementType,
  props: Props,
  wrap: WrapText,
): Props {
  const { children } = props;
  if (!Array.isArray(children)) {
    return type === Fragment && isText(children)
      ? { ...props, children: wrap(String(children)) }
      : props;
  }
  const list: readonly ReactNode[] = children;
  if (!list.some(isText)) return props;
  const isTextAlone = list.every((child) => isText(child) || isBlank(child));
  return {
    ...props,
    children:
      isTextAlone && type !== Fragment ? list.filter(isText).join('') : wrapTexts(list, wrap),
  };
}
