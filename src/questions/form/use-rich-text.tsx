import { FileInput } from '#app/ui/forms/FileInput.tsx';
import { Box } from '@mantine/core';
import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { isRecording, RECORDING_TYPES } from '#app/lib/recordings.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import {
  insertText,
  joinNotes,
  pasteRich,
  preparePaste,
  UNSENT_NOTE,
  withPictures,
  type PastedText,
} from '#app/questions/paste/rich-paste.ts';
import { FormulaModal, type WrittenFormula } from './FormulaModal.tsx';
import { PictureModal } from './PictureModal.tsx';
import {
  applyEdit,
  formulaAt,
  insertFormula,
  insertPictures,
  toggleList,
  toggleMark,
  type PutPicture,
  type Selection,
  type TextEdit,
} from './text-edit.ts';

export type RichCommand = 'bold' | 'italic' | 'list' | 'formula' | 'picture' | 'recording';

type Open =
  | { readonly kind: 'formula'; readonly at: Selection; readonly formula: WrittenFormula | null }
  | {
      readonly kind: 'pictures';
      readonly at: Selection;
      readonly files: readonly File[];
      readonly put: readonly PutPicture[];
      /** The pasted text that contains the pictures. */
      readonly pasted?: PastedText;
    };

export interface RichText {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Props of the textarea. */
  readonly events: {
    readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
    readonly onFocus: () => void;
    /** @param onLines receives several lines in place of the field */
    readonly onPaste: (event: ClipboardEvent, onLines?: (lines: readonly string[]) => void) => void;
    readonly onDrop: (event: DragEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
  };
  readonly run: (command: RichCommand) => void;
  readonly addPictures: (files: readonly File[]) => void;
  readonly selection: () => Selection;
  /** Modals and the file pickers, rendered beside the field. */
  readonly overlay: ReactNode;
}

const KEYS: Readonly<Record<string, RichCommand>> = { KeyB: 'bold', KeyI: 'italic' };

/** Markdown editing of a textarea: emphasis, formulas, pictures and recordings; focus and selection return to it. */
export function useRichText({ multiline }: { multiline: boolean }): RichText {
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const recordingPicker = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const [waiting, setWaiting] = useState<TextEdit | null>(null);
  const [note, setNote] = useState('');
  // An open modal traps the focus: the edit is applied after it has closed.
  useEffect(() => {
    if (!waiting) return;
    // After the commit: during it React would restore the old text and move the cursor to the end.
    queueMicrotask(() => {
      if (field.current) applyEdit(field.current, waiting);
      setWaiting(null);
    });
  }, [waiting]);

  const selection = (): Selection => ({
    start: field.current?.selectionStart ?? 0,
    end: field.current?.selectionEnd ?? 0,
  });
  const text = () => field.current?.value ?? '';
  const apply = (edit: TextEdit) => field.current && applyEdit(field.current, edit);
  const close = (edit: TextEdit | null) => {
    setOpen(null);
    setWaiting(edit);
  };
  const addPictures = (files: readonly File[]) => {
    // A player does not fit into a line, which may be a button.
    const taken = multiline ? files : files.filter((one) => !isRecording(one));
    if (taken.length > 0) setOpen({ kind: 'pictures', at: selection(), files: taken, put: [] });
  };
  const run = (command: RichCommand) => {
    switch (command) {
      case 'bold':
      case 'italic':
        apply(toggleMark(text(), selection(), command));
        break;
      case 'list':
        apply(toggleList(text(), selection()));
        break;
      case 'formula': {
        const found = formulaAt(text(), selection());
        setOpen({ kind: 'formula', at: found ?? selection(), formula: found });
        break;
      }
      case 'picture':
        picker.current?.click();
        break;
      case 'recording':
        recordingPicker.current?.click();
        break;
    }
  };

  const paste: RichText['events']['onPaste'] = (event, onLines) =>
    pasteRich(
      {
        field,
        multiline,
        setNote,
        onPictures: (pasted, files, at) =>
          setOpen({ kind: 'pictures', at, files, put: [], pasted }),
      },
      event,
      onLines,
    );

  const pictures = open?.kind === 'pictures' ? open : null;
  const endPictures = (put: readonly PutPicture[]) => {
    if (!pictures) return;
    const { pasted, at } = pictures;
    if (pasted) {
      if (put.length < pictures.files.length) setNote(joinNotes([pasted.note, UNSENT_NOTE]));
      close(insertText(at, withPictures(pasted.text, put)));
    } else close(put.length === 0 ? null : insertPictures(text(), at, put, multiline));
  };
  const file = pictures?.files[pictures.put.length];

  return {
    field,
    run,
    addPictures,
    selection,
    events: {
      onKeyDown: (event) => {
        const command = KEYS[event.code];
        if (!command || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        event.preventDefault();
        run(command);
      },
      onFocus: preparePaste,
      onPaste: (event, onLines) => {
        setNote('');
        const { files } = event.clipboardData;
        // Word also puts a picture of the text on the clipboard.
        if (files.length > 0 && event.clipboardData.getData('text/plain').trim() === '') {
          event.preventDefault();
          addPictures([...files]);
        } else paste(event, onLines);
      },
      onDragOver: (event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
      onDrop: (event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        addPictures([...event.dataTransfer.files]);
      },
    },
    overlay: (
      <>
        {note !== '' && (
          <Box mt={6}>
            <InlineNote tone="warn" role="status">
              {note}
            </InlineNote>
          </Box>
        )}
        <FileInput
          hidden
          multiple
          ref={picker}
          aria-label="Картинка для текста"
          accept="image/*"
          onFiles={addPictures}
        />
        <FileInput
          hidden
          multiple
          ref={recordingPicker}
          aria-label="Запись для текста"
          accept={RECORDING_TYPES}
          onFiles={addPictures}
        />
        {open?.kind === 'formula' && (
          <FormulaModal
            formula={open.formula}
            mayDisplay={multiline}
            onClose={() => close(null)}
            onPut={(formula) => close(insertFormula(text(), open.at, formula))}
          />
        )}
        {pictures && file && (
          <PictureModal
            key={pictures.put.length}
            file={file}
            place={{ number: pictures.put.length + 1, of: pictures.files.length }}
            onClose={() => endPictures(pictures.put)}
            onPut={(picture) => {
              const put = [...pictures.put, picture];
              if (put.length === pictures.files.length) endPictures(put);
              else setOpen({ ...pictures, put });
            }}
          />
        )}
      </>
    ),
  };
}
