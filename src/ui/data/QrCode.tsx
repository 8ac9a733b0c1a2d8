import { useEffect, useState } from 'react';

/** Free modules around a code, as its standard asks. */
const QUIET = 4;

interface Drawn {
  side: number;
  path: string;
}

async function draw(text: string): Promise<Drawn> {
  const { default: qrcode } = await import('qrcode');
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

export interface QrCodeProps {
  text: string;
  /** What it leads to. */
  label: string;
  className?: string | undefined;
}

/** A QR code, black on white in both schemes; nothing until its library is there. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  useEffect(() => {
    let isWanted = true;
    draw(text).then(
      (result) => isWanted && setDrawn(result),
      // Without the library the address beside it still stands.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (!drawn) return <div className={className} />;
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawn.side} ${drawn.side}`}
      shapeRendering="crispEdges"
    >
      <rect width={drawn.side} height={drawn.side} fill="#fff" />
      <path d={drawn.path} fill="#000" />
    </svg>
  );
}
