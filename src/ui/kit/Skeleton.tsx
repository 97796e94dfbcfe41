/** Something is coming: nothing for 150 ms, then a skeleton of what will stand there. */
import { Skeleton as SkeletonBar, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useT } from './translate.ts'

/** True once `delay` milliseconds have passed; quick answers then never flash. */
function useDelayed(delay = 150): boolean {
  const [late, setLate] = useState(false)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), delay)
    return () => clearTimeout(timer)
  }, [delay])
  return late
}

/** `rows` for lists, `form` for fields, `page` for a whole page. */
export function Skeleton({ shape = 'page', rows = 8 }: { shape?: 'rows' | 'form' | 'page'; rows?: number }) {
  const t = useT()
  const late = useDelayed()
  if (!late) return <div style={{ minHeight: 240 }} aria-busy />
  return (
    <Stack gap="sm" p={shape === 'page' ? 'md' : 0} aria-busy maw={shape === 'form' ? 720 : undefined}>
      <VisuallyHidden role="status">{t('Loading')}</VisuallyHidden>
      {shape === 'page' ? <SkeletonBar animate={false} height={24} width={220} mb="sm" /> : null}
      {Array.from({ length: rows }, (_, row) => row).map(row => (
        <SkeletonBar
          animate={false}
          key={row}
          height={shape === 'form' ? 36 : 8}
          width={shape === 'form' ? '100%' : `${55 + ((row * 23) % 40)}%`}
          my={shape === 'form' ? 4 : 8}
        />
      ))}
    </Stack>
  )
}
