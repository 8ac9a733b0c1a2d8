import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createTest, deleteTest, duplicateTest, setLifecycle } from '#contract/authoring.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { newTestPayload } from '#domain/new-test.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { refreshTests } from '#app/lib/teacher-queries.ts';

/** Creates a test from the default payload; returns its id. */
export function useCreateTest(onCreated: (testId: string) => void) {
  const { serverNow, timeZone } = useDevice();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(createTest, { body: newTestPayload(new Date(serverNow()), timeZone) }),
    onSuccess: (testId) => {
      refreshTests(client);
      onCreated(testId);
    },
  });
}

/** Makes a copy; returns its id. */
export function useDuplicateTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(duplicateTest, { params: { id } }),
    onSuccess: () => refreshTests(client),
  });
}

/** Publishes, archives or restores. */
export function useSetLifecycle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, lifecycle }: { id: string; lifecycle: TestLifecycle }) =>
      call(setLifecycle, { params: { id }, body: { lifecycle } }),
    onSuccess: () => refreshTests(client),
  });
}

/** Deletes, or archives a test with attempts. */
export function useDeleteTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteTest, { params: { id } }),
    onSuccess: () => refreshTests(client),
  });
}
