import { useEffect, useEffectEvent, type RefObject } from 'react';
import { startCodeWorker } from './code-worker.ts';
import type { CameraImage } from './read-code.ts';

/** A greater picture takes longer and shows no more. */
const MAX_SIDE = 1280;

/** The present picture of a video; null before its first one. */
function takePicture(video: HTMLVideoElement, canvas: HTMLCanvasElement): CameraImage | null {
  const { videoWidth, videoHeight } = video;
  const scale = Math.min(1, MAX_SIDE / Math.max(videoWidth, videoHeight));
  const width = Math.round(videoWidth * scale);
  const height = Math.round(videoHeight * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || width === 0 || height === 0) return null;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.drawImage(video, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data };
}

/** Calls back with the next picture of a video. Returns a function that prevents the call. */
function onNextPicture(video: HTMLVideoElement, callback: () => void): () => void {
  // Firefox before 132 has no callback for a video's pictures.
  if (!('requestVideoFrameCallback' in video)) {
    const request = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(request);
  }
  const request = video.requestVideoFrameCallback(callback);
  return () => video.cancelVideoFrameCallback(request);
}

export interface CodeListener {
  /** The content of a code in the latest picture. Returns whether to continue. */
  onCode: (content: Uint8Array) => boolean;
  /** The part of the app that reads codes did not load or failed. */
  onFailure: () => void;
}

/** Reads the QR codes that a video shows while `isActive`, one picture at a time. */
export function useCodes(
  video: RefObject<HTMLVideoElement | null>,
  isActive: boolean,
  { onCode, onFailure }: CodeListener,
): void {
  const handleCode = useEffectEvent(onCode);
  const handleFailure = useEffectEvent(onFailure);
  useEffect(() => {
    const element = video.current;
    if (!isActive || !element) return;
    const canvas = document.createElement('canvas');
    const worker = startCodeWorker();
    let isOver = false;
    let cancel: () => void;
    const read = async () => {
      const picture = takePicture(element, canvas);
      const content = picture && (await worker.read(picture));
      if (isOver || (content && !handleCode(content))) return;
      wait();
    };
    const wait = () => {
      cancel = onNextPicture(element, () => {
        read().catch(() => {
          if (!isOver) handleFailure();
        });
      });
    };
    wait();
    return () => {
      isOver = true;
      cancel();
      worker.close();
    };
  }, [video, isActive]);
}
