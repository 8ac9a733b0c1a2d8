import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import * as v from 'valibot';
import type { AiWish } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import { Theme } from '#contract/themes.ts';
import { readableText } from '#domain/format-gaps.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { markDisclosed, wasDisclosed } from './disclosure.ts';
import { DisclosurePanel } from './DisclosurePanel.tsx';
import { useRevision } from './use-revision.ts';
import { wishesOf } from './wishes.ts';
import { WishField } from './WishField.tsx';
import { replaceDraft } from './replace-draft.ts';
import { PAIRS } from '#app/ui/columns.ts';

function Side({ title, question }: { title: string; question: Question }) {
  return (
    <Paper component="section" p="md" aria-label={title}>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <Box mb="sm">
        <RichText className="measure" text={readableText(question)} />
      </Box>
      <QuestionKey question={question} />
    </Paper>
  );
}

function Wishes({
  question,
  isBusy,
  onChoose,
}: {
  question: Question;
  isBusy: boolean;
  onChoose: (wish: AiWish) => void;
}) {
  return (
    <Group gap="xs" align="stretch" role="group" aria-label="Что сделать с вопросом">
      {wishesOf(question.kind).map(({ wish, label, icon }) => (
        <Button
          key={wish}
          size="sm"
          variant="default"
          disabled={isBusy}
          leftSection={<Icon of={icon} />}
          onClick={() => onChoose(wish)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

function Writing({ onStop }: { onStop: () => void }) {
  return (
    <Group gap="0.5rem 1rem" p="0.75rem 1rem" bd="1px dashed var(--app-control)" bdrs="lg">
      <Text flex={1} miw={160}>
        ИИ пишет вопрос по-новому…
      </Text>
      <Button size="sm" variant="default" onClick={onStop}>
        Остановить
      </Button>
    </Group>
  );
}

/** The current question and the provider's version side by side. */
export function ImproveModal({
  provider,
  question,
  testId,
  onReplace,
  onClose,
}: {
  provider: { host: string; model: string };
  question: Question;
  testId: string;
  onReplace: (question: Question) => void;
  onClose: () => void;
}) {
  const { app } = useRouteContext({ from: '__root__' });
  const [isDisclosed, setDisclosed] = useState(() => wasDisclosed(app.local, provider.host));
  const [isMissed, setMissed] = useState(false);
  const [isWishing, setWishing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [fresh, setFresh] = useState<Question | null>(null);
  const { data: settings } = usePageQuery(settingsQuery(testId));
  const revision = useRevision(v.is(Theme, settings?.theme) ? settings.theme : '');
  const ask = (wish: AiWish, wishes = '') => {
    setWishing(false);
    if (!isDisclosed) return setMissed(true);
    // Further wishes apply to the latest version.
    revision.ask(fresh ?? question, wish, wishes, (next) => setFresh(replaceDraft(question, next)));
  };
  if (isLeaving) {
    return (
      <GuardDialog
        title="Закрыть без замены?"
        message="Новый вариант вопроса пропадёт, в тесте останется прежний."
        stay="Вернуться к вариантам"
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
      title="Улучшить с ИИ"
      onClose={() => (fresh ? setLeaving(true) : onClose())}
      footer={
        <>
          <Button data-autofocus variant={fresh ? 'default' : 'filled'} onClick={onClose}>
            Оставить как было
          </Button>
          {fresh && (
            <Button
              onClick={() => {
                onReplace(fresh);
                onClose();
              }}
            >
              Заменить
            </Button>
          )}
        </>
      }
    >
      <Stack gap="sm">
        <DisclosurePanel
          {...provider}
          isDisclosed={isDisclosed}
          isMissed={isMissed}
          onDisclosed={() => {
            markDisclosed(app.local, provider.host);
            setDisclosed(true);
          }}
        />
        <Wishes
          question={question}
          isBusy={revision.isBusy}
          onChoose={(wish) => (wish === 'own' ? setWishing(true) : ask(wish))}
        />
        {isWishing && (
          <WishField onAsk={(wishes) => ask('own', wishes)} onClose={() => setWishing(false)} />
        )}
        <div role="status">{revision.isBusy && <Writing onStop={revision.stop} />}</div>
        <div role="alert">
          {revision.problem !== null && <InlineNote tone="bad">{revision.problem}</InlineNote>}
        </div>
      </Stack>
      <Box mt="md" {...PAIRS}>
        <Side title="Как было" question={question} />
        {fresh && <Side title="Как станет" question={fresh} />}
      </Box>
    </Modal>
  );
}
