import { Stack, Text } from '@mantine/core';
import { IconCameraOff, IconQrcodeOff } from '@tabler/icons-react';
import { useRef } from 'react';
import { useScreenOn } from '#app/lib/use-screen-on.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { ProgressBar } from '#app/ui/data/ProgressBar.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { CAMERA_MESSAGES, CODE_MESSAGES, formatReading, READ, READER_LOST } from './messages.ts';
import classes from './QrSeriesCamera.module.css';
import { useCamera, type Camera } from './use-camera.ts';
import { useSeriesReading } from './use-series-reading.ts';

function CameraSelect({ cameras, cameraId, choose }: Camera) {
  const choices = cameras.map(({ deviceId, label }, index) => ({
    value: deviceId,
    label: label || `Камера ${index + 1}`,
  }));
  return <SelectField native label="Камера" choices={choices} value={cameraId} onChange={choose} />;
}

export interface QrSeriesCameraProps {
  /** Called once for each series, with its checked bytes. Whose they are is not checked. */
  onBytes: (bytes: Uint8Array) => void;
  /** Called when the camera begins to see a QR code of something else. */
  onForeign?: () => void;
  /** Nothing is read meanwhile. After a series the next one is read when a pause ends. */
  paused?: boolean;
}

/** Opens the camera and reads the series of codes that `QrSeries` shows on another device. */
export function QrSeriesCamera({ onBytes, onForeign, paused = false }: QrSeriesCameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const { isOpen } = camera;
  const { done, isRead, problem, hasFailed, retry } = useSeriesReading(
    video,
    { isOpen, isPaused: paused },
    { onBytes, onForeign },
  );
  useScreenOn(isOpen);
  const failure = camera.problem
    ? CAMERA_MESSAGES[camera.problem]
    : hasFailed
      ? READER_LOST
      : undefined;
  const hint = problem === null || isRead ? undefined : CODE_MESSAGES[problem];
  const status = isRead ? READ : formatReading(done);
  const canRetry = camera.problem !== 'insecure';
  return (
    <Stack gap="sm">
      <video
        ref={video}
        className={classes.video}
        hidden={camera.problem !== null}
        aria-label="Изображение с камеры"
        muted
        playsInline
      />
      {failure ? (
        <InlineNote
          tone="bad"
          icon={IconCameraOff}
          action={
            canRetry && (
              <QuietButton onClick={hasFailed ? retry : camera.retry}>Повторить</QuietButton>
            )
          }
        >
          {failure}
        </InlineNote>
      ) : (
        <div>
          <Text fw={500}>{status}</Text>
          <ProgressBar share={isRead ? 1 : done} label="Чтение QR-кодов" />
        </div>
      )}
      {hint && !failure && (
        <InlineNote tone="warn" icon={IconQrcodeOff}>
          {hint}
        </InlineNote>
      )}
      {camera.cameras.length > 1 && <CameraSelect {...camera} />}
      <Announcer words={failure ?? (isRead ? READ : (hint ?? ''))} />
    </Stack>
  );
}
