import { ActionIcon, Box, Flex, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReadonlySignal } from '@preact/signals-react';
import { BlobImage } from '#app/ui/data/BlobImage.tsx';
import { FileField } from '#app/ui/forms/FileField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';

const PICTURES = ['image/*'] as const;

interface ExtraPhotosProps {
  field: { value: ReadonlySignal<File[] | undefined> };
  most: number;
  onChange: (photos: File[]) => void;
}

function Photo({ photo, onRemove }: { photo: File; onRemove: () => void }) {
  return (
    <Box component="li" pos="relative">
      <Box
        className="squared filled"
        w="9rem"
        h="6.5rem"
        bd="1px solid var(--app-line)"
        bdrs="md"
        style={{ '--fit': 'cover' }}
      >
        <BlobImage picture={photo} alt={photo.name} />
      </Box>
      <ActionIcon
        variant="default"
        pos="absolute"
        top={4}
        right={4}
        aria-label={`Убрать ${photo.name}`}
        onClick={onRemove}
      >
        <Icon of={IconX} size={18} />
      </ActionIcon>
    </Box>
  );
}

/** Further pictures of a project: picked and shown, but not sent (specification, section 3). */
export function ExtraPhotos({ field, most, onChange }: ExtraPhotosProps) {
  const photos = useSignalValue(field.value) ?? [];
  return (
    <div>
      {photos.length < most ? (
        <FileField
          look="frame"
          label="Дополнительные фотографии"
          description={`До ${most} штук, чтобы посмотреть на них здесь: на сервер они не отправляются`}
          accept={PICTURES}
          file={null}
          onPick={(photo) => onChange([...photos, photo])}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Дополнительные фотографии: выбраны все {most}. На сервер они не отправляются.
        </Text>
      )}
      {photos.length > 0 && (
        <Flex component="ul" gap="sm" wrap="wrap" mt="sm" aria-label="Выбранные фотографии">
          {photos.map((photo, index) => (
            <Photo
              // oxlint-disable-next-line react/no-array-index-key -- the same picture may be picked twice, and none has a state of its own
              key={index}
              photo={photo}
              onRemove={() => onChange(photos.filter((_, at) => at !== index))}
            />
          ))}
        </Flex>
      )}
    </div>
  );
}
