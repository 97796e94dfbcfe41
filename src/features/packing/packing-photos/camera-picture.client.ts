/** What the station's camera sees, in a video element, while a screen shows it. */
import { useEffect, useRef, useState } from 'react'
import { useDevice } from '#ui/device/device-storage.ts'
import { chosenCamera, openStillCamera } from './photo-camera.client.ts'

/** Nothing is opened while `looks` is false. A camera that gives nothing is named by the photo that it does not give. */
export function useCameraPicture(looks: boolean) {
  const video = useRef<HTMLVideoElement>(null)
  const camera_id = chosenCamera(useDevice('dvr'))
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([])
  // The outside system is the camera.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another camera is another picture
  useEffect(() => {
    if (!looks) return
    const camera = openStillCamera()
    let closed = false
    const show = async () => {
      const stream = await camera.stream
      if (!closed && video.current) video.current.srcObject = stream
      // Names of cameras are given only once one was allowed.
      const all = await navigator.mediaDevices.enumerateDevices()
      if (!closed) setCameras(all.filter(one => one.kind === 'videoinput'))
    }
    show().catch(() => undefined)
    return () => {
      closed = true
      camera.close()
    }
  }, [looks, camera_id])
  return { video, camera_id, cameras }
}
