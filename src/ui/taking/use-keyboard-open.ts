import { useEffect, useState } from 'react';

/** A keyboard takes more than this; an address bar that slides away takes less. */
const KEYBOARD_PX = 150;

/** How many pixels at the foot of the page the on-screen keyboard covers; 0 while it is closed. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const measure = () => {
      const hidden = window.innerHeight - viewport.height * viewport.scale;
      const open = viewport.scale < 1.05 && hidden > KEYBOARD_PX;
      setInset(open ? Math.round(window.innerHeight - viewport.height - viewport.offsetTop) : 0);
    };
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
    };
  }, []);
  return inset;
}
