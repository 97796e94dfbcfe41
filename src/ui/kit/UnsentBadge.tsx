/** How much of what was scanned here the server has not heard of yet. */
import { IconCloudUpload } from '@tabler/icons-react'
import { useT } from './translate.ts'
import style from './UnsentBadge.module.css'

export function UnsentBadge({ count }: { count: number }) {
  const t = useT()
  return (
    <span className={style.notSent} role="status">
      <IconCloudUpload size={16} aria-hidden />
      <span className={style.sentence}>{t('{{n}} not sent', { n: count })}</span>
      <span className={style.number} aria-hidden>
        {count}
      </span>
    </span>
  )
}
