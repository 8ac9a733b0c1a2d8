import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Question } from '#contract/questions.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import type { EditorTools } from './tools.ts';

interface Step {
  readonly label: string;
  readonly questions: readonly Question[];
}

/** A fake working copy without a server: immediate changes, undo and redo. */
export function useFakeDraft(
  first: readonly Question[],
  overrides: Partial<DraftEditor> = {},
): DraftEditor {
  const [past, setPast] = useState<readonly Step[]>([]);
  const [future, setFuture] = useState<readonly Step[]>([]);
  const [questions, setQuestions] = useState(first);
  const nothing = () => undefined;
  const later = async () => undefined;
  return {
    testId: '00000000-0000-4000-8000-000000000001',
    questions,
    lifecycle: 'draft',
    hasUnpublished: false,
    state: { kind: 'server', at: new Date('2026-05-24T07:42:00Z') },
    change(label, edit) {
      setPast((before) => [...before, { label, questions }]);
      setFuture([]);
      setQuestions((now) => edit(now));
    },
    undoLabel: past.at(-1)?.label ?? null,
    redoLabel: future.at(-1)?.label ?? null,
    undo() {
      const step = past.at(-1);
      if (!step) return;
      setPast(past.slice(0, -1));
      setFuture([...future, { label: step.label, questions }]);
      setQuestions(step.questions);
    },
    redo() {
      const step = future.at(-1);
      if (!step) return;
      setFuture(future.slice(0, -1));
      setPast([...past, { label: step.label, questions }]);
      setQuestions(step.questions);
    },
    conflicts: [],
    resolve: nothing,
    arrived: null,
    dismissArrived: nothing,
    notice: null,
    dismissNotice: nothing,
    flush: later,
    publish: later,
    discard: later,
    ...overrides,
  };
}

const nothing = () => null;

/** Editor tools without other features. */
export const NO_TOOLS: EditorTools = {
  BankPicker: nothing,
  ImportModal: nothing,
  ExportModal: nothing,
  PaperModal: nothing,
  ImproveMenu: nothing,
};

const local = { getItem: () => null, setItem: () => undefined };
const device = {
  serverNow: () => Date.parse('2026-05-24T07:50:00Z'),
  timeZone: 'Europe/Moscow',
};

/** Renders at a URL of the editor with the app's providers. */
export async function renderEditor(content: ReactNode, hash = '') {
  const root = createRootRouteWithContext<{ app: { local: typeof local } }>()({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/tests/manage/$testId/edit/$mode',
    component: () => content,
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({
      initialEntries: [`/tests/manage/one/edit/custom${hash === '' ? '' : `#${hash}`}`],
    }),
    context: { app: { local } },
  });
  await router.load();
  const client = new QueryClient();
  const rendered = await render(
    <QueryClientProvider client={client}>
      {/* Only the device services that the editor reads. */}
      <DeviceContext value={device as unknown as DeviceServices}>
        <RouterProvider router={router as never} />
      </DeviceContext>
    </QueryClientProvider>,
  );
  return { ...rendered, router };
}
