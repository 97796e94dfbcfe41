/** A floor to look at: fits its place, can be enlarged, and scrolls as every page does. What lies over it is drawn in pixels. */

import { ActionIcon } from '@mantine/core'
import { IconMinus, IconPlus, IconZoomScan } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Floor.module.css'
import { type DrawnFloor, detailed, FloorLayers, FloorMarks } from './FloorLayers.tsx'

interface FloorPlanProps {
  floor: DrawnFloor
  locations?: Parameters<typeof FloorLayers>[0]['locations']
  /** Read out instead of the picture. */
  label: string
  /** Drawn over the floor; `k` pixels are a cell. */
  over?: (k: number) => ReactNode
  /** Comes into sight when it changes. */
  focus?: { x: number; y: number } | null
  /** At most so high, as CSS writes it. */
  height?: string
}

const steps = [1, 1.5, 2.2, 3.2, 4.8, 7]

export function FloorPlan({ floor, locations, label, over, focus, height = '70vh' }: FloorPlanProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState<{ width: number; height: number } | null>(null)
  const [zoom, setZoom] = useState(0)
  // The outside system is the layout of the page.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const most = Number.parseFloat(getComputedStyle(element).maxHeight)
      setViewport({ width: element.clientWidth, height: Number.isFinite(most) ? most : window.innerHeight * 0.7 })
    }
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  const fit = viewport ? Math.min((viewport.width - 2) / floor.width, (viewport.height - 2) / floor.height, 48) : 0
  const k = fit * (steps[zoom] ?? 1)
  const [x, y] = [focus?.x, focus?.y]
  // The outside system is the scrolled box.
  useLayoutEffect(() => {
    const element = box.current
    if (!element || x === undefined || y === undefined || k === 0) return
    element.scrollTo({
      left: (x + 0.5) * k - element.clientWidth / 2,
      top: (y + 0.5) * k - element.clientHeight / 2,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
    })
  }, [x, y, k])
  return (
    <div className={style.frame} style={{ '--plan-height': height }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an enlarged floor is scrolled by keys too */}
      <div className={style.scroll} ref={box} role="img" aria-label={label} tabIndex={0}>
        {k > 0 ? (
          <svg
            width={floor.width * k + 2}
            height={floor.height * k + 2}
            viewBox={`-1 -1 ${floor.width * k + 2} ${floor.height * k + 2}`}
            aria-hidden="true"
          >
            <g transform={`scale(${k})`}>
              <FloorLayers floor={floor} detail={k >= detailed} {...(locations ? { locations } : {})} />
            </g>
            <FloorMarks floor={floor} k={k} />
            {over?.(k)}
          </svg>
        ) : (
          <div style={{ height: '12rem' }} />
        )}
      </div>
      <div className={style.zoom}>
        <ActionIcon
          aria-label={t('Smaller')}
          {...disabledBecause(zoom === 0 && t('The whole floor is shown'))}
          onClick={() => setZoom(zoom - 1)}
        >
          <IconMinus size={20} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('Show whole floor')}
          {...disabledBecause(zoom === 0 && t('The whole floor is shown'))}
          onClick={() => setZoom(0)}
        >
          <IconZoomScan size={20} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('Larger')}
          {...disabledBecause(zoom === steps.length - 1 && t('This is the largest size'))}
          onClick={() => setZoom(zoom + 1)}
        >
          <IconPlus size={20} />
        </ActionIcon>
      </div>
    </div>
  )
}
