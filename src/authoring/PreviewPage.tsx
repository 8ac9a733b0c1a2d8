import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { parseDuration } from '#domain/duration.ts';
import { askedQuestions } from '#domain/variants.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import { DeviceFrame } from '#app/ui/DeviceFrame.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './preview.module.css';
import stack from './authoring.module.css';
import { previewQuestion } from './preview-question.ts';
import { PreviewTaking } from './PreviewTaking.tsx';
import { contentQuery } from './queries.ts';

const DEVICES = {
  phone: { label: 'Телефон', icon: IconDeviceMobile, width: 360, height: 720 },
  desktop: { label: 'Компьютер', icon: IconDeviceDesktop, width: 1280, height: 800 },
} as const;
type Device = keyof typeof DEVICES;

function Preview({
  title,
  passMs,
  keyed,
}: {
  title: string;
  passMs: number;
  keyed: readonly Question[];
}) {
  const isNarrow = useMedia('(max-width: 1023.98px)');
  const [device, setDevice] = useState<Device>(isNarrow ? 'phone' : 'desktop');
  const questions = useMemo(
    () => askedQuestions(keyed, 0).map((question) => previewQuestion(question)),
    [keyed],
  );
  const resolve = usePictures(questions);
  const { width, height } = DEVICES[device];
  return (
    <div className={stack.stack}>
      <div className={classes.tools}>
        <fieldset className={classes.toggle} aria-label="Экран">
          {(Object.keys(DEVICES) as Device[]).map((one) => {
            const { label, icon: Icon } = DEVICES[one];
            return (
              <label key={one}>
                <input
                  type="radio"
                  name="device"
                  checked={device === one}
                  onChange={() => setDevice(one)}
                />
                <Icon size={20} stroke={1.75} aria-hidden />
                {label}
              </label>
            );
          })}
        </fieldset>
        <p>Так тест увидит ученик. Отвечать можно: ничего не сохраняется.</p>
      </div>
      <DeviceFrame
        key={device}
        title={`Предпросмотр: ${DEVICES[device].label.toLowerCase()}`}
        width={width}
        height={height}
      >
        <PreviewTaking title={title} passMs={passMs} questions={questions} resolve={resolve} />
      </DeviceFrame>
    </div>
  );
}

/** The test as a student gets it, on a phone and on a desktop. */
export function PreviewPage({ testId }: { testId: string }) {
  const { data, problem, retry } = usePageQuery(contentQuery(testId));
  if (data) {
    if (data.questions.length === 0) {
      return (
        <EmptyState
          heading="Показывать пока нечего"
          action={
            <Link to="/tests/manage/$testId/edit" params={{ testId }}>
              К содержанию теста
            </Link>
          }
        >
          В тесте ещё нет вопросов. Когда они появятся, здесь будет видно, каким тест получит
          ученик.
        </EmptyState>
      );
    }
    return (
      <Preview title={data.name} passMs={parseDuration(data.passTestTime)} keyed={data.questions} />
    );
  }
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton />;
}
