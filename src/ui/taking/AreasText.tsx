import { useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import classes from './AreasText.module.css';

/** A part of a picture, in shares of its width and height from the upper left corner. */
export interface PicturePart {
  readonly shape: 'rectangle' | 'ellipse';
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ShownArea {
  readonly id: string;
  /** A letter or a number, the same as in the list. */
  readonly mark: string;
  readonly area: PicturePart;
  readonly isChosen: boolean;
  /** Set when the key is shown. */
  readonly tone?: 'ok' | 'bad' | undefined;
}

export interface AreasTextProps {
  /** Markdown; the areas lie on its first picture. */
  text: string;
  areas: readonly ShownArea[];
  /** Absent: they are only shown. */
  onTap?: ((id: string) => void) | undefined;
  className?: string | undefined;
}

const percent = (share: number) => `${share * 100}%`;

/** The position of a part in a box of the picture's size. */
export const placeOf = ({ left, top, width, height }: PicturePart) => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});

/** Puts the first picture of a drawn text into a box, and an empty element over it. */
function placeOverPicture(root: HTMLElement): HTMLElement | null {
  const picture = root.querySelector('img[data-file]');
  if (!picture) return null;
  const frame = document.createElement('span');
  frame.className = classes.frame ?? '';
  const over = document.createElement('span');
  over.className = classes.over ?? '';
  picture.replaceWith(frame);
  frame.append(picture, over);
  return over;
}

/**
 * A text with areas on its first picture. The areas are for the pointer alone: the list of options beside it offers the
 * same by keyboard and to screen readers.
 */
export function AreasText({ text, areas, onTap, className }: AreasTextProps) {
  const [over, setOver] = useState<HTMLElement | null>(null);
  const onDrawn = useCallback((root: HTMLElement) => setOver(placeOverPicture(root)), []);
  return (
    <>
      <RichText text={text} className={className} onDrawn={onDrawn} />
      {over &&
        createPortal(
          areas.map(({ id, mark, area, isChosen, tone }) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the list does the same
            <span
              key={id}
              aria-hidden
              data-area={mark}
              data-shape={area.shape}
              data-chosen={isChosen || undefined}
              data-tone={tone}
              data-active={onTap !== undefined || undefined}
              className={classes.area}
              style={placeOf(area)}
              onClick={() => onTap?.(id)}
            >
              <span className={classes.mark}>{mark}</span>
            </span>
          )),
          over,
        )}
    </>
  );
}
