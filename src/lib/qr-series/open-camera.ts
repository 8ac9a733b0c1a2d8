/**
 * - `insecure`: browsers give a camera only to pages with HTTPS
 * - `refused`: the person or the device's settings do not allow it
 * - `busy`: another program uses it
 * - `lost`: it was unplugged or switched off, or failed otherwise
 */
export type CameraProblem = 'insecure' | 'missing' | 'refused' | 'busy' | 'lost';

const PROBLEMS: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** What prevents the camera, by the error of `openCamera`. */
export function cameraProblem(error: unknown): CameraProblem {
  if (!window.isSecureContext) return 'insecure';
  return (error instanceof Error ? PROBLEMS[error.name] : undefined) ?? 'lost';
}

/** A picture of this size is read in 10 to 50 ms, and its codes are large enough. */
const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** @param id of a camera that was chosen; null: the one at the back, if there is one */
export function openCamera(id: string | null): Promise<MediaStream> {
  // Missing on pages without HTTPS, and in a few old browsers.
  const { mediaDevices } = navigator as Partial<Navigator>;
  if (!mediaDevices) return Promise.reject(new DOMException('No cameras', 'NotFoundError'));
  const which = id === null ? { facingMode: 'environment' } : { deviceId: { exact: id } };
  return mediaDevices.getUserMedia({ audio: false, video: { ...which, ...SIZE } });
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Cameras in the order of the system. Their names are known once one of them was opened. */
export async function listCameras(): Promise<MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput');
}
