import { expect, test } from 'vitest';
import * as v from 'valibot';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import { encryptFormDrafts, eraseFormDrafts, showFormDrafts } from '#app/lib/form-draft-storage.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { signIn } from './sign-in.ts';

const anna = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 1,
  isAdmin: false,
} as const;
const deviceKey = 'A'.repeat(43);

test('the forms of who signs in are decrypted before a page can show them', async () => {
  const store = createFormDraftStore({ kind: 'bank', owner: anna.userId }, v.string());
  showFormDrafts(anna.userId);
  store.save('Правка');
  showFormDrafts(null);
  await encryptFormDrafts(() => importDeviceKey(deviceKey));
  const encrypted = Object.entries(sessionStorage);
  // As after a reload: nothing is in memory.
  eraseFormDrafts(anna.userId);
  for (const [key, text] of encrypted) sessionStorage.setItem(key, text);

  const session = createSessionStore(localStorage);
  let shown: unknown;
  session.subscribe(() => {
    showFormDrafts(anna.userId);
    shown = store.read();
  });
  const outbox = { openRows: () => Promise.resolve(true) };
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await signIn({ session, outbox }, { token: 'secret', expiresAt, user: anna, deviceKey });
  expect(shown).toBe('Правка');
});
