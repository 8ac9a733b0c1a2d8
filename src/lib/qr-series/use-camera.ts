import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import {
  cameraProblem,
  closeCamera,
  listCameras,
  openCamera,
  type CameraProblem,
} from './open-camera.ts';

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

const isPageVisible = () => document.visibilityState === 'visible';

/** Without the gesture that some browsers require the picture stays still. */
function showStream(video: HTMLVideoElement, stream: MediaStream | null): void {
  video.srcObject = stream;
  if (stream) void video.play().catch(() => undefined);
}

export interface Camera {
  isOpen: boolean;
  problem: CameraProblem | null;
  /** Empty until one is open. */
  cameras: readonly MediaDeviceInfo[];
  /** Device id of the open one. */
  cameraId: string;
  choose: (id: string) => void;
  retry: () => void;
}

/** Another object opens the camera again. */
interface CameraChoice {
  id: string | null;
}

interface CameraState {
  isOpen: boolean;
  problem: CameraProblem | null;
  cameraId: string;
}

const CLOSED: CameraState = { isOpen: false, problem: null, cameraId: '' };

/** Shows the camera in the video while the page is visible. A hidden page releases it. */
export function useCamera(video: RefObject<HTMLVideoElement | null>): Camera {
  const isVisible = useSyncExternalStore(subscribeToVisibility, isPageVisible);
  const [choice, choose] = useState<CameraChoice>({ id: null });
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([]);
  const [state, setState] = useState(CLOSED);
  useEffect(() => {
    const element = video.current;
    if (!isVisible || !element) return;
    let stream: MediaStream | undefined;
    let isOver = false;
    const show = async () => {
      stream = await openCamera(choice.id);
      if (isOver) {
        closeCamera(stream);
        return;
      }
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', () => setState({ ...CLOSED, problem: 'lost' }));
      showStream(element, stream);
      setState({ ...CLOSED, isOpen: true, cameraId: track?.getSettings().deviceId ?? '' });
      const found = await listCameras();
      if (!isOver) setCameras(found);
    };
    show().catch((error: unknown) => {
      if (!isOver) setState({ ...CLOSED, problem: cameraProblem(error) });
    });
    return () => {
      isOver = true;
      if (stream) closeCamera(stream);
      showStream(element, null);
      setState(CLOSED);
    };
  }, [video, isVisible, choice]);
  return {
    ...state,
    cameras,
    choose: (id) => choose({ id }),
    // The chosen one may be unplugged.
    retry: () => choose({ id: null }),
  };
}
