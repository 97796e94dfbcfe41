/** How a crate is packed: a drawing that grows layer by layer from the floor. */

import { ActionIcon, Group, List, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number, size } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './CratePile.module.css'
import type { SuggestedCrates } from './crate-choice.schemas.ts'
import { drawingOrder, facesOf, layersOf, onPaper, type Three } from './pile.rules.ts'

/** Read apart in print and by most colour-blind people; the names stand beside them. */
const colours = ['#e0b04a', '#6ea3c7', '#8fb573', '#d58a6c', '#a58cc4', '#d9d2c3', '#6fb3a8', '#c77f9c'] as const

interface CratePileProps {
  crate: SuggestedCrates['crates'][number]
  lines: SuggestedCrates['lines']
}

export function CratePile({ crate: { crate, items }, lines }: CratePileProps) {
  const t = useT()
  const layers = useMemo(() => layersOf(items), [items])
  const [layer, setLayer] = useState(layers.length)
  const shown = useMemo(() => items.slice(0, layers[layer - 1] ?? 0), [items, layers, layer])
  const order = useMemo(() => drawingOrder(shown), [shown])
  const kinds = [...new Set(items.map(item => item.order_item_id))]
  const colourOf = (line: number) => colours[kinds.indexOf(line) % colours.length] ?? colours[0]
  const nameOf = (line: number) => lines.find(one => one.order_item_id === line)?.name ?? String(line)
  const [length, width, height] = crate.inner_mm
  const corners: Three[] = [
    [0, 0, 0],
    [length, 0, 0],
    [0, width, 0],
    [length, width, 0],
    [0, 0, height],
    [length, 0, height],
    [0, width, height],
    [length, width, height],
  ]
  const paper = corners.map(onPaper)
  const [left, top] = [Math.min(...paper.map(([x]) => x)), Math.min(...paper.map(([, y]) => y))]
  const [wide, tall] = [Math.max(...paper.map(([x]) => x)) - left, Math.max(...paper.map(([, y]) => y)) - top]
  const edge = (...ends: Three[]) => ends.map(end => onPaper(end).join(',')).join(' ')
  const margin = Math.max(wide, tall) * 0.02
  const thisLayer = layers[layer - 2] ?? 0
  return (
    <figure className={style.pile}>
      <svg
        className={style.drawing}
        viewBox={`${left - margin} ${top - margin} ${wide + 2 * margin} ${tall + 2 * margin}`}
        role="img"
        aria-label={t('{{box}}, {{count}} items', { box: crate.name, count: shown.length })}
      >
        <polyline className={style.edge} points={edge([length, 0, 0], [0, 0, 0], [0, width, 0])} />
        <polyline className={style.edge} points={edge([0, 0, 0], [0, 0, height])} />
        <polygon className={style.edge} points={edge([0, 0, height], [length, 0, height], [length, 0, 0], [0, 0, 0])} />
        <polygon className={style.edge} points={edge([0, 0, height], [0, width, height], [0, width, 0], [0, 0, 0])} />
        {order.map(index => {
          const item = shown[index]
          if (!item) return null
          const faces = facesOf(item)
          const fill = colourOf(item.order_item_id)
          // What was packed in earlier steps steps back.
          const opacity = layer < layers.length && index < thisLayer ? 0.45 : 1
          return (
            <g key={`${item.at.join(' ')}`} opacity={opacity}>
              <title>{`${nameOf(item.order_item_id)}, ${size(...item.size)}`}</title>
              {(['top', 'left', 'right'] as const).map((face, shade) => (
                <g key={face}>
                  <polygon className={style.face} points={faces[face]} fill={fill} />
                  <polygon fill="black" points={faces[face]} opacity={shade * 0.09} />
                </g>
              ))}
            </g>
          )
        })}
        <polyline
          className={style.edge}
          strokeDasharray="4 4"
          points={edge([length, 0, 0], [length, width, 0], [length, width, height], [length, 0, height])}
        />
        <polyline className={style.edge} strokeDasharray="4 4" points={edge([0, width, 0], [length, width, 0])} />
        <polyline className={style.edge} strokeDasharray="4 4" points={edge([0, width, height], [length, width, height])} />
      </svg>
      <Stack gap="xs" component="figcaption">
        {layers.length > 1 ? (
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              size="lg"
              aria-label={t('Previous layer')}
              title={t('Previous layer')}
              {...disabledBecause(layer <= 1 && t('This is the lowest layer'))}
              onClick={() => setLayer(layer - 1)}
            >
              <IconChevronLeft size={20} />
            </ActionIcon>
            <Text size="sm" className="num" aria-live="polite">
              {t('Layer {{layer}} of {{layers}}', { layer: number(layer), layers: number(layers.length) })}
            </Text>
            <ActionIcon
              size="lg"
              aria-label={t('Next layer')}
              title={t('Next layer')}
              {...disabledBecause(layer >= layers.length && t('This is the top layer'))}
              onClick={() => setLayer(layer + 1)}
            >
              <IconChevronRight size={20} />
            </ActionIcon>
          </Group>
        ) : null}
        <List size="sm" listStyleType="none">
          {kinds.map(line => (
            <List.Item key={line} icon={<span className={style.swatch} style={{ background: colourOf(line) }} />}>
              {`${number(items.filter(item => item.order_item_id === line).length)} × ${nameOf(line)}`}
            </List.Item>
          ))}
        </List>
      </Stack>
    </figure>
  )
}
