import { Box, Button, Text } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { Kbd } from '#app/ui/Kbd.tsx';
import { ShortcutsHelp } from '#app/ui/overlays/ShortcutsHelp.tsx';
import { useShortcuts } from '#app/ui/shortcuts.ts';
import { TakingShortcuts } from './lazy-shortcuts.ts';
import classes from './TakingBar.module.css';

/** A keyboard covers more than this; an address bar that slides away covers less. */
const KEYBOARD_PX = 150;

/** How many pixels at the bottom of the page the on-screen keyboard covers; 0 while it is closed. */
function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const measure = () => {
      const hidden = window.innerHeight - viewport.height * viewport.scale;
      const open = viewport.scale < 1.05 && hidden > KEYBOARD_PX;
      setInset(open ? Math.round(window.innerHeight - viewport.height - viewport.offsetTop) : 0);
    };
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
    };
  }, []);
  return inset;
}

export interface TakingBarProps {
  /** Index of the question shown, from 0. */
  current: number;
  total: number;
  onBack: () => void;
  onNext: () => void;
  /** Opens the finish dialog; replaces «Далее» at the last question. */
  onFinish: () => void;
  /** Opens «Все вопросы». */
  onOpenGrid: () => void;
  /** How many options the digit keys choose from, for the hint; 0 for none. */
  keyOptions?: number;
}

/** Shown and spoken when Enter leads no further. */
export const LAST_QUESTION = 'Это последний вопрос';

/** What the keys do, if they are on, and the list of all of them. */
function KeyHints({ options, isLast }: { options: number; isLast: boolean }) {
  const { isOn } = useShortcuts();
  return (
    <>
      {isOn && (
        <Text span size="sm" c="dimmed" className="with-keyboard">
          {options > 0 && (
            <span>
              <Kbd>1</Kbd>
              {options > 1 && (
                <>
                  <span>–</span>
                  <Kbd>{Math.min(options, 9)}</Kbd>
                </>
              )}
              <span> выбрать, </span>
            </span>
          )}
          {isLast ? (
            <span>{LAST_QUESTION}</span>
          ) : (
            <span>
              <Kbd>Enter</Kbd> <span>дальше</span>
            </span>
          )}
        </Text>
      )}
      <ShortcutsHelp list={TakingShortcuts} />
    </>
  );
}

/** «Назад», «7 из 20» and «Далее» within reach of the thumb; below the question from 1024 px. */
export function TakingBar({
  current,
  total,
  onBack,
  onNext,
  onFinish,
  onOpenGrid,
  keyOptions = 0,
}: TakingBarProps) {
  const keyboard = useKeyboardInset();
  const last = current >= total - 1;
  return (
    <BottomBar lift={keyboard}>
      <Button
        variant="default"
        flex={{ base: '0 0 3rem', md: 'none' }}
        px={{ base: 0, md: 'md' }}
        className={classes.back}
        disabled={current === 0}
        aria-label="Назад"
        onClick={onBack}
      >
        <Icon of={IconArrowLeft} />
        <Box component="span" className="from-desktop" ms="0.625rem">
          Назад
        </Box>
      </Button>
      <Button
        variant="default"
        flex="1 1 0"
        className={cx('to-desktop tabular', classes.place)}
        aria-label={`Вопрос ${current + 1} из ${total}. Все вопросы`}
        aria-haspopup="dialog"
        rightSection={<Icon of={IconChevronUp} size={18} />}
        onClick={onOpenGrid}
      >
        {current + 1} из {total}
      </Button>
      <KeyHints options={keyOptions} isLast={last} />
      <Button
        // Another button: the second tap of a double tap on «Далее» must not press «Завершить».
        key={last ? 'finish' : 'next'}
        flex={{ base: '1 1 0', md: '0 0 auto' }}
        miw={{ md: '9.25rem' }}
        rightSection={last ? undefined : <Icon of={IconArrowRight} />}
        onClick={last ? onFinish : onNext}
      >
        {last ? 'Завершить' : 'Далее'}
      </Button>
    </BottomBar>
  );
}

/** The place of the main actions: fixed at the bottom on phones, below the question from 1024 px. */
export function BottomBar({ lift = 0, children }: { lift?: number; children: ReactNode }) {
  return (
    <div
      className={classes.bar}
      data-keyboard={lift > 0 || undefined}
      style={lift > 0 ? { bottom: lift } : undefined}
    >
      <div className={classes.row}>{children}</div>
    </div>
  );
}
