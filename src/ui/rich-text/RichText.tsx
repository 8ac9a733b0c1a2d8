import { useContext, useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import { cx } from '#app/ui/cx.ts';
import classes from './RichText.module.css';
import { ContentLanguage } from './content-language.ts';
import { useEngine } from './engine.ts';
import { hasMath } from '#domain/format-math.ts';
import { Pictures } from './pictures-context.ts';
import { isPlain } from './plain.ts';
import { PictureViewer } from '#app/ui/overlays/PictureViewer.tsx';

export interface RichTextProps {
  /** Markdown with `$…$`, `$$…$$` and `![описание](file:KEY)`, recordings as `audio-file:KEY`. */
  text: string;
  /** One line without blocks, for options and items; a `span` instead of a `div`. */
  inline?: boolean;
  /** Within a button: nothing in it can be opened, played or followed. */
  still?: boolean | undefined;
  className?: string | undefined;
  /** Called with the element each time after its contents were drawn, from Markdown or plain text. */
  onDrawn?: ((root: HTMLElement) => void) | undefined;
  /** Shown until the parser is loaded. */
  typed?: string;
}

/**
 * A text written by a teacher. Plain text needs no parser. Markdown and formulas load their parser once, and until then
 * the text is shown as typed.
 */
export function RichText({
  text,
  inline = false,
  still = false,
  className,
  onDrawn,
  typed = text,
}: RichTextProps) {
  const lang = useContext(ContentLanguage);
  const resolveImage = useContext(Pictures);
  const plain = !onDrawn && isPlain(text);
  const engine = useEngine(!plain, !plain && hasMath(text));
  const box = useRef<HTMLElement>(null);
  const resolve = useRef(resolveImage);
  const [opened, setOpened] = useState<{ src: string; alt: string } | null>(null);
  useEffect(() => {
    resolve.current = resolveImage;
  });

  useLayoutEffect(() => {
    const root = box.current;
    if (!engine || !root) return;
    return engine.drawText(root, text, {
      inline,
      still,
      draw: engine.draw,
      onDrawn,
      resolve: (key, isRecording) =>
        resolve.current
          ? resolve.current(key, isRecording)
          : Promise.reject(new Error('No pictures here')),
    });
  }, [text, inline, still, engine, onDrawn]);

  const openPicture = (event: MouseEvent) => {
    if (still || !(event.target instanceof Element)) return;
    const image = event.target.closest('[data-picture]')?.querySelector('img');
    if (!image?.src) return;
    event.preventDefault();
    setOpened({ src: image.src, alt: image.alt });
  };

  const Box = inline ? 'span' : 'div';
  const shared = {
    className: cx(classes.text, className),
    lang,
    'data-inline': inline || undefined,
  };
  return (
    <>
      {engine ? (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the pictures inside are buttons
        <Box
          key="drawn"
          {...shared}
          ref={(element: HTMLElement | null) => {
            box.current = element;
          }}
          onClick={openPicture}
        />
      ) : (
        <Box key="typed" {...shared} data-waiting={!plain || undefined}>
          {inline ? typed : <p>{typed.trim()}</p>}
        </Box>
      )}
      {opened && <PictureViewer {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}
