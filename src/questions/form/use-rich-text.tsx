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

/** Applies an edit once the modal that made it is closed: an open modal traps the focus. */
function useDeferredEdit(field: RichText['field']) {
  const [waiting, setWaiting] = useState<TextEdit | null>(null);
  useEffect(() => {
    if (!waiting) return;
    // After the commit: during it React would restore the old text and move the cursor to the end.
    queueMicrotask(() => {
      if (field.current) applyEdit(field.current, waiting);
      setWaiting(null);
    });
  }, [field, waiting]);
  return setWaiting;
}

function FilePickers({
  picker,
  recordingPicker,
  onFiles,
}: {
  picker: RefObject<HTMLInputElement | null>;
  recordingPicker: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly File[]) => void;
}) {
  return (
    <>
      <FileInput
        hidden
        multiple
        ref={picker}
        aria-label="Картинка для текста"
        accept="image/*"
        onFiles={onFiles}
      />
      <FileInput
        hidden
        multiple
        ref={recordingPicker}
        aria-label="Запись для текста"
        accept={RECORDING_TYPES}
        onFiles={onFiles}
      />
    </>
  );
}

/** Asks for one picture after the other, and inserts them together. */
function PictureModals({
  open,
  multiline,
  text,
  onClose,
  onChange,
  onNote,
}: {
  readonly open: Extract<Open, { kind: 'pictures' }>;
  readonly multiline: boolean;
  /** The field's current text. */
  readonly text: () => string;
  /** Null: nothing is inserted. */
  readonly onClose: (edit: TextEdit | null) => void;
  readonly onChange: (open: Open) => void;
  readonly onNote: (note: string) => void;
}) {
  const { at, files, put, pasted } = open;
  const file = files[put.length];
  const finish = (all: readonly PutPicture[]) => {
    if (pasted) {
      if (all.length < files.length) onNote(joinNotes([pasted.note, UNSENT_NOTE]));
      onClose(insertText(at, withPictures(pasted.text, all)));
    } else onClose(all.length === 0 ? null : insertPictures(text(), at, all, multiline));
  };
  return (
    file && (
      <PictureModal
        key={put.length}
        file={file}
        place={{ number: put.length + 1, of: files.length }}
        onClose={() => finish(put)}
        onPut={(picture) => {
          const all = [...put, picture];
          if (all.length === files.length) finish(all);
          else onChange({ ...open, put: all });
        }}
      />
    )
  );
}

/** Asks for a formula or pictures, and inserts them into the field. */
function useInsertModal({
  field,
  multiline,
  onNote,
}: {
  field: RichText['field'];
  multiline: boolean;
  onNote: (note: string) => void;
}) {
  const [open, setOpen] = useState<Open | null>(null);
  const applyLater = useDeferredEdit(field);
  const text = () => field.current?.value ?? '';
  const close = (edit: TextEdit | null) => {
    setOpen(null);
    applyLater(edit);
  };
  return {
    openModal: setOpen,
    modal: (
      <>
        {open?.kind === 'formula' && (
          <FormulaModal
            formula={open.formula}
            mayDisplay={multiline}
            onClose={() => close(null)}
            onPut={(formula) => close(insertFormula(text(), open.at, formula))}
          />
        )}
        {open?.kind === 'pictures' && (
          <PictureModals
            open={open}
            multiline={multiline}
            text={text}
            onClose={close}
            onChange={setOpen}
            onNote={onNote}
          />
        )}
      </>
    ),
  };
}

/** Markdown editing of a textarea: emphasis, formulas, pictures and recordings; focus and selection return to it. */
export function useRichText({ multiline }: { multiline: boolean }): RichText {
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const recordingPicker = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  const { modal, openModal } = useInsertModal({ field, multiline, onNote: setNote });
  const selection = (): Selection => ({
    start: field.current?.selectionStart ?? 0,
    end: field.current?.selectionEnd ?? 0,
  });
  const text = () => field.current?.value ?? '';
  const apply = (edit: TextEdit) => field.current && applyEdit(field.current, edit);
  const addPictures = (files: readonly File[]) => {
    // A player does not fit into a line, which may be a button.
    const taken = multiline ? files : files.filter((one) => !isRecording(one));
    if (taken.length > 0) openModal({ kind: 'pictures', at: selection(), files: taken, put: [] });
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
        openModal({ kind: 'formula', at: found ?? selection(), formula: found });
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
          openModal({ kind: 'pictures', at, files, put: [], pasted }),
      },
      event,
      onLines,
    );

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
        <FilePickers picker={picker} recordingPicker={recordingPicker} onFiles={addPictures} />
        {modal}
      </>
    ),
  };
}
