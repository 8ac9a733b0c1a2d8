import { RichText } from './RichText.tsx';

/** A text of a question's part; `still`: within a button, where nothing in it can be opened or played. */
export const renderInline = (text: string, still?: boolean) => (
  <RichText inline still={still} text={text} />
);
