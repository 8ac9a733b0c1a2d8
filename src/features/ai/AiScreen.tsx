import { Box, Group } from '@mantine/core';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { EditModes } from '#app/drafts/EditModes.tsx';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { columnsFromDesktop } from '#app/ui/columns.ts';
import { AskPanel } from './AskPanel.tsx';
import { DraftsPanel, showDrafts } from './DraftsPanel.tsx';
import { markDisclosed, wasDisclosed } from './disclosure.ts';
import { aiStatusQuery } from './queries.ts';
import { type DraftingState, useDrafting } from './use-drafting.ts';
import { AiDraft } from './work.ts';

function NotConfigured({ testId }: { testId: string }) {
  return (
    <Box mt="md" maw="44rem">
      <EmptyState
        heading="ИИ на этом сервере не настроен"
        action={
          <Group gap="0 1.5rem">
            <Link className="tap" to="/tests/manage/$testId/edit/custom" params={{ testId }}>
              Написать вручную
            </Link>
            <Link className="tap" to="/tests/manage/$testId/edit/generate" params={{ testId }}>
              Подобрать из банка и шаблонов
            </Link>
          </Group>
        }
      >
        Вопросы можно составить без него. Чтобы ИИ заработал, администратор сервера задаёт три
        переменные: AI_BASE_URL, AI_API_KEY и AI_MODEL.
      </EmptyState>
    </Box>
  );
}

function Ready({
  draft,
  drafting,
  provider,
}: {
  draft: DraftEditor;
  drafting: DraftingState;
  provider: { host: string; model: string };
}) {
  const { app } = useRouteContext({ from: '__root__' });
  const [isDisclosed, setDisclosed] = useState(() => wasDisclosed(app.local, provider.host));
  return (
    <Box mt="md" {...columnsFromDesktop('minmax(0, 25rem) minmax(0, 1fr)', '1.5rem')}>
      <AskPanel
        testId={draft.testId}
        form={drafting.form}
        onChange={drafting.setForm}
        provider={provider}
        isDisclosed={isDisclosed}
        onDisclosed={() => {
          markDisclosed(app.local, provider.host);
          setDisclosed(true);
        }}
        isWriting={drafting.progress !== null}
        onStart={(count) => {
          drafting.start(count);
          showDrafts();
        }}
        onStop={drafting.stop}
      />
      <DraftsPanel draft={draft} drafting={drafting} canAsk={isDisclosed} />
    </Box>
  );
}

/** «С ИИ»: question drafts by a provider; each can be accepted, edited, regenerated or refused. */
export function AiScreen({ draft }: { draft: DraftEditor }) {
  const { app } = useRouteContext({ from: '__root__' });
  const [workStore] = useState(() =>
    createFormDraftStore(
      { kind: 'ai', owner: app.session.current()?.user.userId ?? '', testId: draft.testId },
      AiDraft,
    ),
  );
  const drafting = useDrafting(workStore, draft.questions);
  const { data: status, problem, retry } = usePageQuery(aiStatusQuery);
  const isReady = status?.configured === true && status.host !== null && status.model !== null;
  return (
    <>
      <Box w="fit-content" maw="100%">
        <EditModes testId={draft.testId} mode="ai" />
      </Box>
      {isReady && status.host !== null && status.model !== null ? (
        <Ready
          draft={draft}
          drafting={drafting}
          provider={{ host: status.host, model: status.model }}
        />
      ) : status ? (
        <>
          <NotConfigured testId={draft.testId} />
          {drafting.drafts.pending.length > 0 && (
            <DraftsPanel draft={draft} drafting={drafting} canAsk={false} />
          )}
        </>
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </>
  );
}
