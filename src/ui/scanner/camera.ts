/** Reads codes with the device's camera: the browser's own detector where there is one, else ZXing, served by us. */

export type CameraProblem = 'insecure' | 'missing' | 'refused' | 'busy' | 'failed'
export class CameraError extends Error {
  readonly problem: CameraProblem
  constructor(problem: CameraProblem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

/** What a screen reader says, and the translation keys. */
export const cameraSentences: Readonly<Record<CameraProblem, string>> = {
  insecure: 'The camera works only over HTTPS. Ask your administrator to set it up, or use a scanner.',
  missing: 'This device has no camera that can be used.',
  refused: 'The camera is not allowed. Allow it for this page in the settings of the browser, then try again.',
  busy: 'Another program uses the camera. Close it, then try again.',
  failed: 'The camera could not be started. Try again, or use a scanner.',
}

export interface Camera {
  /** Turns the light on or off; absent when the camera has none. */
  torch?: (on: boolean) => Promise<void>
  stop(): void
}

/** Starts the rear camera in the video element. Throws `CameraError`. */
export async function openCamera(video: HTMLVideoElement, signal: AbortSignal): Promise<Camera> {
  if (!window.isSecureContext) throw new CameraError('insecure')
  if (!('mediaDevices' in navigator)) throw new CameraError('missing')
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
    })
  } catch (error) {
    throw new CameraError(cameraProblemOf(error), { cause: error })
  }
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
  if (signal.aborted) {
    stop()
    throw new CameraError('failed')
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    video.srcObject = stream
    video.muted = true
    video.playsInline = true
    await video.play()
  } catch (error) {
    stop()
    throw new CameraError('failed', { cause: error })
  }
  const track = stream.getVideoTracks()[0]
  // Neither is in the standard's types: https://www.w3.org/TR/image-capture/
  const able = track && (track.getCapabilities?.() as { torch?: boolean } | undefined)
  if (!track || !able?.torch) return { stop }
  return { stop, torch: on => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] }) }
}

/** Why the browser gave no camera. */
export function cameraProblemOf(error: unknown): CameraProblem {
  if (!window.isSecureContext) return 'insecure'
  if (!('mediaDevices' in navigator)) return 'missing'
  return problems[error instanceof DOMException ? error.name : ''] ?? 'failed'
}

const problems: Partial<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

/**
 * Watches the video and reports each code once: again only after it was out of sight for a second. GS1 codes come with their symbology identifier.
 * Ends with the signal. Throws when the reader cannot be loaded.
 */
export async function watchCodes(video: HTMLVideoElement, onCode: (text: string) => void, signal: AbortSignal): Promise<void> {
  const detect = (await nativeDetector()) ?? (await ownDetector())
  let seen = ''
  let seenAt = 0
  while (!signal.aborted) {
    const started = performance.now()
    if (video.readyState >= video.HAVE_CURRENT_DATA && document.visibilityState === 'visible') {
      const text = await detect(video)
      if (signal.aborted) return
      const now = performance.now()
      if (text !== undefined && (text !== seen || now - seenAt > 1000)) onCode(text)
      if (text !== undefined) {
        seen = text
        seenAt = now
      }
    }
    // A slow phone gets as long a rest as the work took.
    await new Promise(rested => setTimeout(rested, Math.max(60, performance.now() - started)))
  }
}

type Detect = (video: HTMLVideoElement) => Promise<string | undefined>

interface NativeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

async function nativeDetector(): Promise<Detect | undefined> {
  const Native = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector
  if (!Native) return undefined
  const supported = await Native.getSupportedFormats().catch((): string[] => [])
  // Some systems have the class and nothing behind it.
  if (!['code_128', 'ean_13', 'qr_code'].every(format => supported.includes(format))) return undefined
  const wanted = ['code_128', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf', 'code_39', 'qr_code', 'data_matrix']
  const detector = new Native({ formats: wanted.filter(format => supported.includes(format)) })
  return async video => {
    const found = await detector.detect(video).catch(() => [])
    return found[0]?.rawValue
  }
}

async function ownDetector(): Promise<Detect> {
  const [{ prepareZXingModule, readBarcodes }, { default: url }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  await prepareZXingModule({ overrides: { locateFile: () => url }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gives no canvas')
  return async video => {
    const scale = Math.min(1, 1280 / Math.max(video.videoWidth, 1))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (canvas.width === 0 || canvas.height === 0) return undefined
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const found = await readBarcodes(context.getImageData(0, 0, canvas.width, canvas.height), {
      formats: ['Code128', 'EAN13', 'EAN8', 'UPCA', 'UPCE', 'ITF14', 'Code39', 'QRCode', 'DataMatrix'],
      textMode: 'Plain',
      tryHarder: true,
      maxNumberOfSymbols: 1,
    })
    const code = found.find(({ isValid }) => isValid)
    if (!code) return undefined
    return code.contentType === 'GS1' ? `${code.symbologyIdentifier}${code.text}` : code.text
  }
}
