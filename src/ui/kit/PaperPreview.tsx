/** A paper as it would be printed, shown before anybody prints it. */
import { useEffect, useState } from 'react'
import { useT } from './translate.ts'

/** Border and height are the screen's: `frame` and `link` are its classes. */
export function PaperPreview({
  file,
  title,
  frame,
  link,
}: {
  file: File
  title: string
  frame: string | undefined
  link: string | undefined
}) {
  const t = useT()
  const [address, setAddress] = useState<string>()
  // The outside system is the browser's store of object addresses.
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (!address) return null
  return (
    <>
      <iframe className={frame} src={`${address}#toolbar=0&navpanes=0&view=FitH`} title={title} />
      <a className={link} href={address} target="_blank" rel="noreferrer">
        {t('Open the preview automatically')}
      </a>
    </>
  )
}
