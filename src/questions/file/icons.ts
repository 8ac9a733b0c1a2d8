import { IconPaperclip } from '@tabler/icons-react';

export const fileIcons = { file: IconPaperclip };
