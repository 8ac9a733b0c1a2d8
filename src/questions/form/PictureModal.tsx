import { Box, Button, Paper, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { formatSize } from '#domain/format.ts';
import { isRefusal } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { LimitedTextField } from '#app/ui/forms/LimitedField.tsx';
import { isRecording } from '#app/lib/recordings.ts';
import { keepPicture } from './picture-cache.ts';
import { PictureUploader } from './picture-uploader.ts';
import type { PutPicture } from './text-edit.ts';

export interface PictureModalProps {
  readonly file: File;
  /** «Картинка 2 из 3» if several were added at once. */
  readonly place: { readonly number: number; readonly of: number };
  readonly onPut: (picture: PutPicture) => void;
  /** Cancels this picture and the remaining ones. */
  readonly onClose: () => void;
}

const ALT_CHARACTERS = 300;

type Upload =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'sending'; readonly picture: Blob }
  | { readonly kind: 'ready'; readonly picture: Blob; readonly key: string }
  /** Without a prepared picture another file is needed; with one, a retry. */
  | { readonly kind: 'failed'; readonly words: string; readonly picture: Blob | null };

/** Prepares and uploads a file while its description is being typed. */
function usePictureUpload(file: File): readonly [Upload, retry: (picture: Blob) => void] {
  const { prepare, upload } = useContext(PictureUploader);
  const [state, setState] = useState<Upload>({ kind: 'preparing' });
  useEffect(() => {
    let current = true;
    prepare(file).then(
      (picture) => current && setState({ kind: 'sending', picture }),
      (error: unknown) => {
        if (!current) return;
        const words =
          error instanceof PictureRefusal ? error.message : 'Картинку не удалось прочитать.';
        setState({ kind: 'failed', words, picture: null });
      },
    );
    return () => {
      current = false;
    };
  }, [file, prepare]);
  useEffect(() => {
    if (state.kind !== 'sending') return;
    const { picture } = state;
    let current = true;
    upload(picture).then(
      (key) => {
        keepPicture(key, picture);
        if (current) setState({ kind: 'ready', picture, key });
      },
      (error: unknown) => {
        if (!current) return;
        const isFinal = isRefusal(error, 'FILE_REFUSED');
        setState({
          kind: 'failed',
          words: describeFailure(error),
          picture: isFinal ? null : picture,
        });
      },
    );
    return () => {
      current = false;
    };
  }, [state, upload]);
  return [state, (picture) => setState({ kind: 'sending', picture })];
}

const PICTURE = {
  title: 'Картинка',
  label: 'Что на картинке?',
  description: 'Для тех, кто её не видит. Если без неё всё понятно, оставьте пустым.',
};
const RECORDING = {
  title: 'Запись',
  label: 'Что на записи?',
  description: 'Название над проигрывателем. Его прочитают и те, у кого запись не загрузилась.',
};

function messageOf(state: Upload, title: string): string {
  switch (state.kind) {
    case 'preparing':
      return `${title} готовится`;
    case 'sending':
      return `Отправляется, ${formatSize(state.picture.size)}`;
    case 'ready':
      return `На сервере, ${formatSize(state.picture.size)}`;
    case 'failed':
      return state.picture ? `${title} здесь, но ещё не на сервере` : '';
  }
}

function Thumbnail({ picture }: { picture: Blob | null }) {
  const url = useMemo(() => picture && URL.createObjectURL(picture), [picture]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  if (picture && url && isRecording(picture))
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody has typed what is said
    return <Box component="audio" controls src={url} w="100%" />;
  return (
    <Paper
      className="clip"
      display="grid"
      mih="8rem"
      radius="md"
      bg="#fff"
      c="#5b6270"
      style={{ placeItems: 'center' }}
    >
      {url ? (
        <Box component="img" src={url} alt="" maw="100%" mah="14rem" />
      ) : (
        <Icon of={IconPhoto} size={30} />
      )}
    </Paper>
  );
}

/** Inserts a picture or a recording into a text, with its description. */
export function PictureModal({ file, place, onPut, onClose }: PictureModalProps) {
  const [state, retry] = usePictureUpload(file);
  const [alt, setAlt] = useState('');
  const [isWanted, setWanted] = useState(false);
  const key = state.kind === 'ready' ? state.key : null;
  const isSound = isRecording(file);
  const texts = isSound ? RECORDING : PICTURE;
  const put = useEffectEvent((found: string) => onPut({ alt, key: found, isRecording: isSound }));
  useEffect(() => {
    if (isWanted && key !== null) put(key);
  }, [isWanted, key]);
  const isRefused = state.kind === 'failed' && state.picture === null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={place.of > 1 ? `${texts.title} ${place.number} из ${place.of}` : texts.title}
      footer={
        <>
          {state.kind === 'failed' && state.picture !== null && (
            <Button onClick={() => state.picture && retry(state.picture)}>Повторить</Button>
          )}
          {state.kind !== 'failed' && (
            <Button loading={isWanted} onClick={() => setWanted(true)}>
              Вставить
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {isRefused ? 'Закрыть' : 'Отмена'}
          </Button>
        </>
      }
    >
      <Stack gap="xs">
        <Thumbnail picture={'picture' in state ? state.picture : null} />
        <Text role="status" size="sm" c="dimmed" mih="1.25rem">
          {messageOf(state, texts.title)}
        </Text>
        <div role="alert">
          {state.kind === 'failed' && (
            <FieldError>{`${file.name === '' ? '' : `${file.name}: `}${state.words}`}</FieldError>
          )}
        </div>
        {!isRefused && (
          <LimitedTextField
            label={texts.label}
            description={texts.description}
            type="text"
            error=""
            data-autofocus
            value={alt}
            maxLength={ALT_CHARACTERS}
            onChange={setAlt}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && state.kind !== 'failed') setWanted(true);
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}
