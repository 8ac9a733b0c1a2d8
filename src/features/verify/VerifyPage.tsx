import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconFileText } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { showJoinCode } from '#domain/join-codes.ts';
import { MAX_RECEIPT_CHARACTERS, unpackDocument } from '#domain/receipt.ts';
import { loadReceiptKeys } from '#app/lib/receipts/receipt-keys.ts';
import { NOT_PROVEN, ReceiptRows } from '#app/lib/receipts/ReceiptRows.tsx';
import { verifyReceipt, type ReceiptVerdict } from '#app/lib/receipts/verify.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { PickButton } from '#app/ui/forms/PickButton.tsx';
import { CompareWithAttempt } from './CompareWithAttempt.tsx';
import { PROBLEM_MESSAGES, TOO_BIG } from './messages.ts';

/** A character has at most four bytes. */
const MAX_FILE_BYTES = 4 * MAX_RECEIPT_CHARACTERS;

/** Of the text in the field: a verdict, or why there is none. */
type Outcome = ReceiptVerdict | { readonly kind: 'checking' | 'tooBig' };

function ShownOutcome({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'checking') return <p>Проверяем…</p>;
  if (outcome.kind !== 'genuine')
    return (
      <InlineNote tone="bad" icon={IconAlertTriangle}>
        {outcome.kind === 'tooBig' ? TOO_BIG : PROBLEM_MESSAGES[outcome.kind]}
      </InlineNote>
    );
  return (
    <>
      <InlineNote tone="ok" icon={IconCheck}>
        Квитанция подлинная: её подписала эта школа, и в ней ничего не изменено.
      </InlineNote>
      <Text>
        Контрольный код: <b className="nowrap">{showJoinCode(outcome.code)}</b>
      </Text>
      <ReceiptRows facts={outcome.receipt.facts} />
      <CompareWithAttempt key={outcome.receipt.text} held={outcome.receipt} />
      <InlineNote>{NOT_PROVEN}</InlineNote>
    </>
  );
}

/** The document of the address after `#`; null: there is none. */
function documentOfAddress(hash: string): string | null {
  const packed = hash.replace(/^#/, '');
  return packed === '' ? null : (unpackDocument(packed) ?? packed);
}

/** The check of one document after another, and the outcome of the last one. */
function useVerification() {
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const shown = useRef(0);
  const show = (value: string, next: Outcome | null) => {
    setText(value);
    setOutcome(next);
    return (shown.current += 1);
  };
  const verify = async (document: string) => {
    const mine = show(document.slice(0, MAX_RECEIPT_CHARACTERS), { kind: 'checking' });
    const next = verifyReceipt(document, await loadReceiptKeys());
    // The keys may take seconds: meanwhile the field may have another text.
    if (shown.current === mine) setOutcome(next);
  };
  return { text, outcome, show, verify };
}

/** Checks a receipt on this device. `hash`: of the page's address, where a QR code puts a receipt. */
export function VerifyPage({ hash }: { hash: string }) {
  const { text, outcome, show, verify } = useVerification();
  // Keys are stored at the first visit, for a check without a network.
  const verifyAddress = useEffectEvent((document: string) => verify(document));
  useEffect(() => {
    const document = documentOfAddress(hash);
    void (document === null ? loadReceiptKeys() : verifyAddress(document));
  }, [hash]);
  const pick = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) show('', { kind: 'tooBig' });
    else await verify(await file.text());
  };
  return (
    <Stack maw="42rem">
      <p>
        Вставьте текст квитанции или выберите её файл. Проверка идёт на этом устройстве, текст
        никуда не отправляется.
      </p>
      <LimitedTextarea
        label="Текст квитанции"
        rows={6}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_RECEIPT_CHARACTERS}
        value={text}
        onChange={(value) => void show(value, null)}
      />
      <Group gap="xs" className="wide-on-phones">
        <Button disabled={text.trim() === ''} onClick={() => void verify(text)}>
          Проверить
        </Button>
        <PickButton
          variant="default"
          icon={IconFileText}
          label="Файл квитанции"
          accept=".txt,text/plain"
          onFiles={([file]) => void pick(file)}
        >
          Выбрать файл
        </PickButton>
      </Group>
      <Stack role="status" aria-atomic={false} gap="sm">
        {outcome && <ShownOutcome outcome={outcome} />}
      </Stack>
    </Stack>
  );
}
