/** A field to sign in with a finger, a pen or the mouse. */
import { Button, Group, Input } from '@mantine/core'
import { type PointerEvent, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Collect.module.css'

/** Size of the drawing, as the server and the paper know it. */
const [width, height] = [600, 200]
const longest = 20_000

interface SignatureInputProps {
  /** The path of an SVG drawing; empty while nothing is drawn. */
  value: string
  onChange: (path: string) => void
}

export function SignatureInput({ value, onChange }: SignatureInputProps) {
  const t = useT()
  const [drawing, setDrawing] = useState(false)
  const draw = (event: PointerEvent<SVGSVGElement>, command: 'M' | 'L') => {
    const point = `${command}${pointOf(event)}`
    if (value.length + point.length <= longest && !value.endsWith(point)) onChange(value + point)
  }
  return (
    <Input.Wrapper label={t('Driver’s signature')} labelElement="div" description={t('Optional: sign here instead of on paper.')}>
      <svg
        className={style.signature}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={value === '' ? t('Not signed yet') : t('Signed')}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawing(true)
          draw(event, 'M')
        }}
        onPointerMove={event => drawing && draw(event, 'L')}
        onPointerUp={() => setDrawing(false)}
        onPointerCancel={() => setDrawing(false)}
      >
        <path d={value} />
      </svg>
      <Group justify="flex-end" mt={4}>
        <Button
          size="compact-sm"
          variant="subtle"
          {...disabledBecause(value === '' && t('Nothing is signed yet'))}
          onClick={() => onChange('')}
        >
          {t('Clear')}
        </Button>
      </Group>
    </Input.Wrapper>
  )
}

export const SignatureView = ({ path, label }: { path: string; label: string }) => (
  <svg className={style.signed} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
    <path d={path} />
  </svg>
)

function pointOf({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): string {
  const box = currentTarget.getBoundingClientRect()
  const along = (offset: number, length: number, size: number) =>
    Math.min(size - 1, Math.max(0, Math.round((offset / Math.max(1, length)) * size)))
  return `${along(clientX - box.left, box.width, width)} ${along(clientY - box.top, box.height, height)}`
}
