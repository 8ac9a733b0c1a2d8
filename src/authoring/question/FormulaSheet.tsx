import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { FieldError } from '#app/ui/FieldError.tsx';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import type * as Katex from '#app/ui/rich-text/katex.ts';
import { Sheet } from '#app/ui/Sheet.tsx';
import { SwitchField } from '#app/ui/SwitchField.tsx';
import { PALETTE, type Sign } from './formula-palette.ts';
import { FORMULA_CHARACTERS, formulaWords, HIDDEN_END, hidesItsEnd } from './formula-words.ts';
import classes from './FormulaSheet.module.css';
import { applyEdit } from './text-edit.ts';
import { useSettled } from './use-settled.ts';

export interface WrittenFormula {
  readonly tex: string;
  readonly display: boolean;
}

export interface FormulaSheetProps {
  /** The one that is changed; null: a new one. */
  readonly formula: WrittenFormula | null;
  /** False: in fields of one line there is no line of its own. */
  readonly mayDisplay: boolean;
  readonly onPut: (formula: WrittenFormula) => void;
  readonly onClose: () => void;
}

const REST_MS = 120;

/** What is wrong with a formula, in words; checked when typing rests. */
function useFault(tex: string): string {
  const [check, setCheck] = useState<typeof Katex.formulaFault>();
  useEffect(() => {
    let current = true;
    import('#app/ui/rich-text/katex.ts').then(
      ({ formulaFault }) => current && setCheck(() => formulaFault),
      // Without it the formula can be written all the same.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, []);
  if (hidesItsEnd(tex)) return HIDDEN_END;
  const fault = tex.trim() === '' || !check ? null : check(tex);
  return fault === null ? '' : formulaWords(fault);
}

function Palette({ onSign }: { onSign: (sign: Sign) => void }) {
  return (
    <div className={classes.palette} role="group" aria-label="Знаки">
      {PALETTE.map(({ name, signs }) => (
        <div key={name} role="group" aria-label={name} className={classes.group}>
          <p aria-hidden className={classes.groupName}>
            {name}
          </p>
          <div className={classes.signs}>
            {signs.map((sign) => (
              <button
                key={sign.name}
                type="button"
                className={classes.sign}
                title={sign.name}
                // The field keeps its cursor.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onSign(sign)}
              >
                <span role="img" aria-label={sign.name}>
                  <RichText inline text={`$${(sign.shown ?? sign.tex).trim()}$`} />
                </span>
              </button>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** A formula is written with signs from a palette or as TeX, and seen at once. */
export function FormulaSheet({ formula, mayDisplay, onPut, onClose }: FormulaSheetProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [tex, setTex] = useState(formula?.tex ?? '');
  const [display, setDisplay] = useState(formula?.display ?? false);
  const [isAsked, setAsked] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const settled = useSettled(tex, REST_MS);
  const fault = useFault(settled);
  const isEmpty = tex.trim() === '';
  const isUnsaved = !isEmpty && tex !== (formula?.tex ?? '');
  const error = isAsked && isEmpty ? 'Напишите формулу или выберите знаки' : isEmpty ? '' : fault;

  const put = () => {
    setAsked(true);
    if (isEmpty) field.current?.focus();
    else onPut({ tex: tex.trim(), display: display && mayDisplay });
  };
  const onSign = (sign: Sign) => {
    const box = field.current;
    if (!box) return;
    const { selectionStart: from, selectionEnd: to, value } = box;
    const [before = '', after = ''] = sign.tex.split('|');
    const inside = sign.tex.includes('|') ? value.slice(from, to) : '';
    const cursor = from + before.length + inside.length;
    const insert = `${before}${inside}${after}`;
    if (value.length - (to - from) + insert.length > FORMULA_CHARACTERS) return;
    applyEdit(box, { from, to, insert, select: { start: cursor, end: cursor } });
  };

  if (isLeaving) {
    return (
      <GuardDialog
        title="Закрыть без формулы?"
        words="Написанное пропадёт."
        stay="Вернуться к формуле"
        leave="Закрыть"
        onStay={() => setLeaving(false)}
        onLeave={onClose}
      />
    );
  }
  return (
    <Sheet
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
      <div className={classes.sheet}>
        <div>
          <label htmlFor={`${id}-tex`} className={classes.label}>
            Запись формулы
          </label>
          <textarea
            ref={field}
            id={`${id}-tex`}
            data-autofocus
            className={classes.tex}
            rows={2}
            value={tex}
            maxLength={FORMULA_CHARACTERS}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            placeholder="x(t)=5+4t-3t^2"
            aria-invalid={error !== '' || undefined}
            aria-describedby={error === '' ? undefined : `${id}-error`}
            onChange={(event) => setTex(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              put();
            }}
          />
          <div role="status">
            <FieldError id={`${id}-error`}>{error}</FieldError>
          </div>
        </div>
        <div className={classes.preview} role="img" aria-label="Как будет выглядеть">
          {isEmpty ? (
            <span className={classes.quiet}>Здесь будет видна формула</span>
          ) : (
            <RichText text={`$$${settled}$$`} />
          )}
        </div>
        {mayDisplay && (
          <SwitchField label="На отдельной строке" checked={display} onChange={setDisplay} />
        )}
        <Palette onSign={onSign} />
      </div>
    </Sheet>
  );
}
