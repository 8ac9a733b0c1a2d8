import { expect, test } from 'vitest';
import type { AuditEntry } from '#contract/admin.ts';
import { auditCsv } from './audit-csv.ts';

const AT = '2026-03-02T06:00:00.000Z';
const entry = (parts: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '01900000-0000-7000-8000-000000000001',
  at: AT,
  times: 1,
  lastAt: AT,
  actor: null,
  act: 'auditExported',
  subject: null,
  person: null,
  address: null,
  details: {},
  ...parts,
});

async function linesOf(batches: readonly (readonly AuditEntry[])[], most: number) {
  async function* read() {
    yield* batches;
  }
  let text = '';
  for await (const piece of auditCsv(read(), { timeZone: 'Europe/Moscow', most })) text += piece;
  return text.slice(1).trimEnd().split('\r\n').slice(1);
}

test('the file ends after so many entries, and says so only where there are more', async () => {
  const line = '02.03.2026 09:00:00;;1;Выгружен журнал;;–;Стёртая учётная запись';
  const one = entry();
  expect(
    await linesOf(
      [
        [one, one],
        [one, one],
      ],
      3,
    ),
  ).toEqual([line, line, line, 'Здесь не больше 3 записей. Остальные выгрузите за другое время']);
  expect(await linesOf([[one, one], [one]], 3)).toEqual([line, line, line]);
  expect(await linesOf([[one, one, one], []], 3)).toEqual([line, line, line]);
  expect(await linesOf([[one, one, one], [one]], 3)).toHaveLength(4);
});

test('refused sign-ins of an hour are one line with its last moment and its address', async () => {
  const given = entry({
    act: 'signInFailed',
    times: 3,
    lastAt: '2026-03-02T06:40:00.000Z',
    address: '203.0.113.7',
    details: { others: 1 },
  });
  expect(await linesOf([[given]], 10)).toEqual([
    '02.03.2026 09:00:00;02.03.2026 09:40:00;3;Неудачный вход;3 раза, с адреса 203.0.113.7 и других;' +
      'Почты нет среди учётных записей;Неизвестно кто',
  ]);
});
