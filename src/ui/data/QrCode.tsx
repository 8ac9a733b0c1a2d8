import { Box, type BoxProps } from '@mantine/core';
import type QrCodeLibrary from 'qrcode';
import { useMemo } from 'react';
import { createPart } from '#app/ui/lazy/part.ts';
import { usePart } from '#app/ui/lazy/use-part.ts';

/** Free modules around a code, required by the standard. */
const QUIET = 4;

interface Drawn {
  side: number;
  path: string;
}

const library = createPart(
  () => import('qrcode'),
  (module) => module.default,
);

function draw(qrcode: typeof QrCodeLibrary, text: string): Drawn {
  const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' });
  const places = Array.from(modules.data, (dark, index) => ({ dark, index }));
  const path = places
    .filter(({ dark }) => dark)
    .map(({ index }) => {
      const x = (index % modules.size) + QUIET;
      return `M${x} ${Math.floor(index / modules.size) + QUIET}h1v1h-1z`;
    });
  return { side: modules.size + 2 * QUIET, path: path.join('') };
}

export interface QrCodeProps extends BoxProps {
  text: string;
  /** Where it leads. */
  label: string;
}

/** A QR code, black on white in both schemes; nothing until its library is loaded. */
export function QrCode({ text, label, ...box }: QrCodeProps) {
  // Without the library the page still shows the address beside it.
  const { loaded: qrcode } = usePart(library);
  const drawn = useMemo(() => qrcode && draw(qrcode, text), [qrcode, text]);
  if (!drawn) return <Box {...box} />;
  return (
    <Box
      component="svg"
      flex="none"
      {...box}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawn.side} ${drawn.side}`}
      shapeRendering="crispEdges"
    >
      <rect width={drawn.side} height={drawn.side} fill="#fff" />
      <path d={drawn.path} fill="#000" />
    </Box>
  );
}
