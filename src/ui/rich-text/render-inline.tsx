import { RichText } from './RichText.tsx';

/** A text of a part of a question; `still`: within a button, where nothing of it can be opened or played. */
export const renderInline = (text: string, still?: boolean) => (
  <RichText inline still={still} text={text} />
);
