import { Box, MantineThemeProvider } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

export interface DeviceFrameProps {
  /** Spoken name of the frame. */
  title: string;
  /** Size of the device's screen, px. A screen wider than its container is shown smaller. */
  width: number;
  height: number;
  children: ReactNode;
}

const SHEETS = 'link[rel="stylesheet"], style';

/** Copies the page's styles now and whenever more of them load. Returns a function that stops it. */
function mirrorStyles(from: Document, to: Document): () => void {
  const copied = new Set<Node>();
  const copy = () => {
    for (const sheet of from.querySelectorAll(SHEETS)) {
      if (copied.has(sheet)) continue;
      copied.add(sheet);
      to.head.append(to.importNode(sheet, true));
    }
    for (const { name, value } of from.documentElement.attributes) {
      // The scroll lock of an open dialog concerns the page alone.
      if (name !== 'style') to.documentElement.setAttribute(name, value);
    }
  };
  copy();
  const watch = new MutationObserver(copy);
  watch.observe(from.head, { childList: true });
  watch.observe(from.documentElement, { attributes: true });
  return () => watch.disconnect();
}

/** The device's dialogs open on its own screen. */
const overlaysIn = (target: HTMLElement) => ({
  components: { Portal: { defaultProps: { target } } },
});

/** Shows its children as a device of that size would: the frame has its own media queries. */
export function DeviceFrame({ title, width, height, children }: DeviceFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [inner, setInner] = useState<Document | null>(null);
  const [room, setRoom] = useState(width);

  // Some browsers replace the first empty document with another one.
  const adopt = () => setInner(frame.current?.contentDocument ?? null);
  useEffect(adopt, []);
  useEffect(() => {
    if (!inner) return;
    return mirrorStyles(document, inner);
  }, [inner]);

  useEffect(() => {
    const outer = place.current;
    if (!outer) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setRoom(entry.contentRect.width);
    });
    watch.observe(outer);
    return () => watch.disconnect();
  }, []);

  const scale = Math.min(1, room / width);
  return (
    <Box ref={place} h={height * scale} bdrs="lg" style={{ overflow: 'hidden' }}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- its document is made by this page and loads nothing */}
      <Box
        component="iframe"
        ref={frame}
        title={title}
        onLoad={adopt}
        display="block"
        bd="1px solid var(--app-control)"
        bdrs="lg"
        bg="var(--app-surface)"
        style={{
          width,
          height,
          transformOrigin: '0 0',
          transform: scale < 1 ? `scale(${scale})` : undefined,
          marginInlineStart: Math.max(0, (room - width * scale) / 2),
        }}
      />
      {inner &&
        createPortal(
          <MantineThemeProvider theme={overlaysIn(inner.body)}>{children}</MantineThemeProvider>,
          inner.body,
        )}
    </Box>
  );
}
