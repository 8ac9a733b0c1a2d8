import { ActionIcon, Box, FocusTrap, OptionalPortal, Overlay, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { formatInitials } from '#domain/format-initials.ts';
import { DOUBLE_PRESS_MS } from '#app/ui/double-press.ts';
import { canFocus, restoreFocus } from '#app/ui/lost-focus.ts';
import { useDialogEntry } from './dialog-entries.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { setInertBehind } from './inert.ts';
import classes from './Modal.module.css';

interface DialogProps {
  /** Called for Escape and a tap outside the dialog, and for «back» if the dialog has an entry. */
  onClose: () => void;
  /** The id of its heading. */
  labelledBy?: string;
  /** Its name where it has no heading. */
  label?: string;
  /** 440 px or 685 px on wide screens, or the whole screen. */
  size?: 'md' | 'lg' | 'full';
  children: ReactNode;
}

/** Whether an open list of options within the dialog has handled the key. */
const isHandled = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented ||
  (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true');

/** The roots of the open dialogs, the uppermost last. */
let openDialogs: readonly HTMLElement[] = [];
let unlockScroll: () => void = () => undefined;

/** Whether the page's shortcuts are off. */
export const isDialogOpen = (): boolean => openDialogs.length > 0;

/** Locks the scroll position and the width of the page behind open dialogs. */
function lockScroll(): () => void {
  const { style, clientWidth } = document.documentElement;
  const before = { overflow: style.overflow, paddingRight: style.paddingRight };
  const bar = window.innerWidth - clientWidth;
  style.overflow = 'hidden';
  if (bar > 0) style.paddingRight = `${bar}px`;
  return () => Object.assign(style, before);
}

/** Adds an open dialog. The uppermost one handles Escape, wherever the focus is. */
function addDialog(root: HTMLElement, onEscape: () => void): () => void {
  if (openDialogs.length === 0) unlockScroll = lockScroll();
  openDialogs = [...openDialogs, root];
  setInertBehind(root);
  // The opening tap may be the first of two. The second one must press nothing in the dialog.
  root.dataset['opening'] = '';
  const opened = setTimeout(() => delete root.dataset['opening'], DOUBLE_PRESS_MS);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isHandled(event) || openDialogs.at(-1) !== root) return;
    event.preventDefault();
    onEscape();
  };
  const { ownerDocument } = root;
  ownerDocument.addEventListener('keydown', onKeyDown);
  return () => {
    clearTimeout(opened);
    ownerDocument.removeEventListener('keydown', onKeyDown);
    openDialogs = openDialogs.filter((other) => other !== root);
    setInertBehind(openDialogs.at(-1));
    if (openDialogs.length === 0) unlockScroll();
  };
}

/**
 * A modal dialog for as long as it is mounted. The first `data-autofocus` in it gets the focus, or else the first
 * focusable element. On closing, the previously focused element gets the focus back, or the page's main part if that
 * element is gone. It does not touch the history: a question about leaving appears in the middle of a navigation.
 *
 * Made of Mantine's parts: its whole Modal adds scroll areas and transitions of 9 KB to the first load.
 */
export function Dialog({ onClose, labelledBy, label, size = 'md', children }: DialogProps) {
  const latest = useRef(onClose);
  const ownRoot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    latest.current = onClose;
  });
  useLayoutEffect(() => {
    const returnTo = document.activeElement;
    return () => {
      // An inert page behind the dialog could not get the focus.
      setInertBehind([...openDialogs].reverse().find((other) => other !== ownRoot.current));
      const { activeElement, body } = document;
      // Something else has the focus already.
      if (activeElement !== body && activeElement && !ownRoot.current?.contains(activeElement))
        return;
      if (returnTo && canFocus(returnTo)) returnTo.focus();
      else restoreFocus(returnTo);
    };
  }, []);
  const opened = useCallback((root: HTMLDivElement | null) => {
    ownRoot.current = root ?? ownRoot.current;
    return root ? addDialog(root, () => latest.current()) : undefined;
  }, []);
  return (
    <OptionalPortal>
      <div ref={opened} className={classes.root} data-size={size}>
        <Overlay color="#0e1017" backgroundOpacity={0.45} zIndex="auto" onClick={onClose} />
        <FocusTrap>
          <section
            role="dialog"
            aria-modal="true"
            aria-labelledby={labelledBy}
            aria-label={label}
            tabIndex={-1}
            className={classes.content}
          >
            {children}
          </section>
        </FocusTrap>
      </div>
    </OptionalPortal>
  );
}

/** A dialog that «back» closes. */
export function DialogWithEntry(props: DialogProps) {
  useDialogEntry(props.onClose);
  return <Dialog {...props} />;
}

export interface ModalProps {
  opened: boolean;
  /** Called for the cross, Escape, «back» and a tap outside the modal. */
  onClose: () => void;
  /** A question, or the name of the content. */
  title: ReactNode;
  /** 440 px or 685 px on wide screens. */
  size?: 'md' | 'lg';
  /** Buttons that stay at the bottom while the content scrolls. */
  footer?: ReactNode;
  children?: ReactNode;
}

/** Focuses the heading if nothing in the dialog is marked for the focus: a screen reader begins there. */
function focusHeading(heading: HTMLElement | null): void {
  const isMarked = heading?.closest('[role=dialog]')?.querySelector('[data-autofocus]');
  if (heading && !isMarked) heading.dataset['autofocus'] = 'true';
}

/** A dialog: slides up from below under 640 px, centred otherwise. Mark the safe button `data-autofocus`. */
export function Modal({ opened, title, footer, children, ...dialog }: ModalProps) {
  const titleId = useId();
  if (!opened) return null;
  return (
    <DialogWithEntry {...dialog} labelledBy={titleId}>
      <div className={classes.head}>
        <Box component="h2" id={titleId} ref={focusHeading} tabIndex={-1} flex={1} miw={0} py={4}>
          {typeof title === 'string' ? formatInitials(title) : title}
        </Box>
        <ActionIcon aria-label="Закрыть" onClick={dialog.onClose} mt={-7} me={-10}>
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      <div className={classes.body}>{children}</div>
      {footer && (
        <Stack p="0.5rem var(--side) var(--below)" gap="xs">
          {footer}
        </Stack>
      )}
    </DialogWithEntry>
  );
}
