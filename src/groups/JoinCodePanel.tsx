import { Button } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconCopy,
  IconKeyOff,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setJoinCode } from '#contract/groups.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { call } from '#app/api/call.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { QrCode } from '#app/ui/QrCode.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { siteName } from '#app/ui/site.ts';
import { JoinCodeBoard } from './JoinCodeBoard.tsx';
import classes from './JoinCode.module.css';
import { problemWords } from './problem-words.ts';
import { renewGroups } from './queries.ts';
import { joinAddress } from './site.ts';

interface CodeProps {
  groupId: string;
  name: string;
  code: string;
  turn: (enabled: boolean) => void;
}

const QUESTIONS = {
  renew: {
    title: 'Сделать новый код?',
    words: 'Нынешний код и ссылка перестанут действовать. Кто уже в классе, в нём останется.',
    confirm: 'Новый код',
    cancel: 'Оставить этот',
    enabled: true,
  },
  stop: {
    title: 'Выключить вступление по коду?',
    words:
      'По этому коду в класс больше никто не вступит. Кто уже в классе, в нём останется. Потом можно включить: код будет новый.',
    confirm: 'Выключить',
    cancel: 'Не выключать',
    enabled: false,
  },
} as const;

function CopyLink({ address }: { address: string }) {
  const [told, setTold] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setTold('Ссылка скопирована');
    } catch {
      setTold(`Скопировать не вышло, выделите ссылку сами: ${address}`);
    }
  };
  return (
    <>
      <QuietButton icon={IconCopy} onClick={() => void copy()}>
        Копировать
      </QuietButton>
      <output className={classes.told}>{told}</output>
    </>
  );
}

function OpenCode({ name, code, turn }: CodeProps) {
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null);
  const [isShown, setShown] = useState(false);
  const address = joinAddress(code);
  const question = asked && QUESTIONS[asked];
  return (
    <>
      <div className={classes.card}>
        <div className={classes.facts}>
          <p className={classes.code}>{showJoinCode(code)}</p>
          <p className={classes.address}>{siteName()}/join</p>
        </div>
        <QrCode className={classes.qr} text={address} label={`QR-код ссылки ${address}`} />
      </div>
      <div className={classes.buttons}>
        <QuietButton icon={IconArrowsMaximize} onClick={() => setShown(true)}>
          На весь экран
        </QuietButton>
        <QuietButton icon={IconRefresh} onClick={() => setAsked('renew')}>
          Новый код
        </QuietButton>
        <QuietButton icon={IconKeyOff} onClick={() => setAsked('stop')}>
          Выключить
        </QuietButton>
        <CopyLink address={address} />
      </div>
      <ConfirmSheet
        opened={question !== null}
        title={question?.title ?? ''}
        confirm={question?.confirm ?? ''}
        cancel={question?.cancel ?? ''}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          setAsked(null);
          if (question) turn(question.enabled);
        }}
      >
        <p>{question?.words}</p>
      </ConfirmSheet>
      <JoinCodeBoard
        opened={isShown}
        onClose={() => setShown(false)}
        name={name}
        code={code}
        address={address}
      />
    </>
  );
}

/** How pupils come in by themselves: the code as text and QR, shown large, renewed or turned off. */
export function JoinCodePanel({
  groupId,
  name,
  joinCode,
}: {
  groupId: string;
  name: string;
  joinCode: string | null;
}) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (enabled: boolean) => call(setJoinCode, { params: { groupId }, body: { enabled } }),
    onSettled: () => renewGroups(client),
  });
  const problem = problemWords(change.error);
  return (
    <section className={classes.panel} aria-label="Вступление по коду">
      <h2>Код для вступления</h2>
      {joinCode === null ? (
        <>
          <p className={classes.quiet}>
            Вступление по коду выключено: учеников добавляете только вы.
          </p>
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={20} stroke={1.75} aria-hidden />}
            loading={change.isPending}
            onClick={() => change.mutate(true)}
          >
            Включить
          </Button>
        </>
      ) : (
        <OpenCode
          groupId={groupId}
          name={name}
          code={joinCode}
          turn={(enabled) => change.mutate(enabled)}
        />
      )}
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
    </section>
  );
}
