/** Photos of a phone, made small before they travel: a dead spot must not hold eight megabytes. */
const longest = 1_600

/** A JPEG of at most 1,600 pixels; what cannot be read goes as it is, and the server judges it. */
export async function smallPhoto(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.82 })
  } catch {
    return file
  }
}
