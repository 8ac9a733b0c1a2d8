import { Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { formatNumber, formatPercent } from '#domain/format.ts';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { OpenPart } from './OpenPart.tsx';

function KeyView({ question }: KeyViewProps<'open'>) {
  if (question.accepted.length === 0) {
    return (
      <Text inherit c="dimmed">
        Верных ответов не задано: проверяет преподаватель.
      </Text>
    );
  }
  return (
    <>
      <Text inherit c="dimmed">
        Верные ответы:
      </Text>
      <ul className={classes.key}>
        {question.accepted.map(({ text, share }) => (
          <Text
            key={text}
            component="li"
            inherit
            c={share > 0 ? 'var(--app-ok-text)' : 'dimmed'}
            fw={share > 0 ? 500 : undefined}
          >
            {share > 0 ? (
              <IconCheck size={20} stroke={2} aria-hidden />
            ) : (
              <IconX size={20} stroke={2} aria-hidden />
            )}
            <span>
              <InLanguage>{text}</InLanguage>
              {share < 1 && ` (${formatPercent(share)} баллов)`}
            </span>
          </Text>
        ))}
      </ul>
      {question.tolerance > 0 && (
        <Text inherit c="dimmed">
          Допуск для чисел: ±{formatNumber(question.tolerance, 6)}
        </Text>
      )}
    </>
  );
}

export const openAuthoring: KindAuthoring<'open'> = { Editor: OpenPart, KeyView };
