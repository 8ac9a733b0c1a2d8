import { IconAlignLeft, IconCursorText } from '@tabler/icons-react';

export const openIcons = { line: IconCursorText, essay: IconAlignLeft };
