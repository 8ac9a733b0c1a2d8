import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useRef, useState } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { createPart } from '#app/ui/lazy/part.ts';
import { usePart } from '#app/ui/lazy/use-part.ts';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { PALETTE, type FormulaSign } from './formula-palette.ts';
import { FORMULA_CHARACTERS, formulaMessage, HIDDEN_END, hidesItsEnd } from './formula-messages.ts';
import classes from './FormulaModal.module.css';
import { applyEdit } from './text-edit.ts';

export interface WrittenFormula {
  readonly tex: string;
  readonly display: boolean;
}

export interface FormulaModalProps {
  /** The formula being edited; null: a new one. */
  readonly formula: WrittenFormula | null;
  /** False in single-line fields: no display formulas. */
  readonly mayDisplay: boolean;
  readonly onPut: (formula: WrittenFormula) => void;
  readonly onClose: () => void;
}

const TEX = { input: classes.tex ?? '' };
const REST_MS = 120;

// The formula can be typed without KaTeX.
const faultCheck = createPart(
  () => import('#app/ui/rich-text/katex.ts'),
  (module) => module.formulaFault,
);

/** Error message of a formula; checked when typing pauses. */
function useFault(tex: string): string {
  const { loaded: check } = usePart(faultCheck);
  if (hidesItsEnd(tex)) return HIDDEN_END;
  const fault = tex.trim() === '' || !check ? null : check(tex);
  return fault === null ? '' : formulaMessage(fault);
}

function Palette({ onSign }: { onSign: (sign: FormulaSign) => void }) {
  return (
    <Stack gap="sm" role="group" aria-label="Знаки">
      {PALETTE.map(({ name, signs }) => (
        <div key={name} role="group" aria-label={name}>
          <Text aria-hidden size="sm" c="dimmed" mb={4}>
            {name}
          </Text>
          <Group gap="xs" align="stretch">
            {signs.map((sign) => (
              <ActionIcon
                key={sign.name}
                variant="default"
                className={classes.sign}
                w="auto"
                miw={44}
                h={44}
                px={6}
                title={sign.name}
                // Leaves focus and selection in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onSign(sign)}
              >
                <span role="img" aria-label={sign.name}>
                  <RichText inline text={`$${(sign.shown ?? sign.tex).trim()}$`} />
                </span>
              </ActionIcon>
            ))}
          </Group>
        </div>
      ))}
    </Stack>
  );
}

/** Inserts a sign at the cursor; the selection becomes its argument. */
function insertSign(box: HTMLTextAreaElement, sign: FormulaSign): void {
  const { selectionStart: from, selectionEnd: to, value } = box;
  const [before = '', after = ''] = sign.tex.split('|');
  const inside = sign.tex.includes('|') ? value.slice(from, to) : '';
  const cursor = from + before.length + inside.length;
  const insert = `${before}${inside}${after}`;
  if (value.length - (to - from) + insert.length > FORMULA_CHARACTERS) return;
  applyEdit(box, { from, to, insert, select: { start: cursor, end: cursor } });
}

/** Null: nothing is typed yet. */
function Preview({ tex }: { tex: string | null }) {
  return (
    <Paper
      display="grid"
      mih="5rem"
      p="xs"
      style={{ placeContent: 'center', overflowX: 'auto' }}
      radius="md"
      role="img"
      aria-label="Как будет выглядеть"
    >
      {tex === null ? (
        <Text span inherit c="dimmed">
          Здесь будет видна формула
        </Text>
      ) : (
        <RichText text={`$$${tex}$$`} />
      )}
    </Paper>
  );
}

/** Edits a formula with a palette or as TeX, with a live preview. */
export function FormulaModal({ formula, mayDisplay, onPut, onClose }: FormulaModalProps) {
  const errorId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [tex, setTex] = useState(formula?.tex ?? '');
  const [display, setDisplay] = useState(formula?.display ?? false);
  const [isSubmitted, setSubmitted] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [settled] = useDebouncedValue(tex, REST_MS);
  const fault = useFault(settled);
  const isEmpty = tex.trim() === '';
  const isUnsaved = !isEmpty && tex !== (formula?.tex ?? '');
  const error =
    isSubmitted && isEmpty ? 'Напишите формулу или выберите знаки' : isEmpty ? '' : fault;

  const put = () => {
    setSubmitted(true);
    if (isEmpty) field.current?.focus();
    else onPut({ tex: tex.trim(), display: display && mayDisplay });
  };

  if (isLeaving) {
    return (
      <GuardDialog
        title="Закрыть без формулы?"
        message="Написанное пропадёт."
        stay="Вернуться к формуле"
        leave="Закрыть"
        onStay={() => setLeaving(false)}
        onLeave={onClose}
      />
    );
  }
  return (
    <Modal
      opened
      size="lg"
      onClose={() => (isUnsaved ? setLeaving(true) : onClose())}
      title={formula ? 'Правка формулы' : 'Формула'}
      footer={
        <>
          <Button onClick={put}>{formula ? 'Заменить' : 'Вставить'}</Button>
          <Button variant="default" onClick={onClose}>
            Отмена
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        <div>
          <LimitedTextarea
            ref={field}
            label="Запись формулы"
            data-autofocus
            classNames={TEX}
            rows={2}
            value={tex}
            maxLength={FORMULA_CHARACTERS}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            placeholder="x(t)=5+4t-3t^2"
            error={error !== ''}
            attributes={{ input: { 'aria-describedby': error === '' ? undefined : errorId } }}
            onChange={setTex}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              put();
            }}
          />
          <div role="status">
            <FieldError id={errorId}>{error}</FieldError>
          </div>
        </div>
        <Preview tex={isEmpty ? null : settled} />
        {mayDisplay && (
          <SwitchField label="На отдельной строке" value={display} onChange={setDisplay} />
        )}
        <Palette onSign={(sign) => field.current && insertSign(field.current, sign)} />
      </Stack>
    </Modal>
  );
}
