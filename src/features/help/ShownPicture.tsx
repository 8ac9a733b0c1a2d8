import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { PictureViewer } from '#app/ui/overlays/PictureViewer.tsx';
import type { HelpPicture } from './pictures.ts';

/** A picture in its space, which opens over the whole screen. Its description replaces one that does not load. */
export function ShownPicture({ picture }: { picture: HelpPicture }) {
  const { src, alt, width, height } = picture;
  const [isOpen, setOpen] = useState(false);
  const [isMissing, setMissing] = useState(false);
  if (isMissing)
    return (
      <Text size="sm" c="dimmed">
        Картинка не загрузилась. На ней: {alt}
      </Text>
    );
  return (
    <>
      <Box
        component="button"
        type="button"
        aria-label={`Открыть картинку: ${alt}`}
        display="block"
        maw="100%"
        p={0}
        bg="#fff"
        bd="1px solid var(--app-control)"
        bdrs="md"
        style={{ alignSelf: 'start', overflow: 'hidden', cursor: 'zoom-in' }}
        onClick={() => setOpen(true)}
      >
        <Box
          component="img"
          display="block"
          maw="100%"
          h="auto"
          loading="lazy"
          src={src}
          alt={alt}
          width={width}
          height={height}
          onError={() => setMissing(true)}
        />
      </Box>
      {isOpen && <PictureViewer src={src} alt={alt} onClose={() => setOpen(false)} />}
    </>
  );
}
