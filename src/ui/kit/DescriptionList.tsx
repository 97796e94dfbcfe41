/** Names and what stands behind them, in as many columns as there is space for. */
import type { ReactNode } from 'react'
import style from './DescriptionList.module.css'

export const DescriptionList = ({ children }: { children: ReactNode }) => <dl className={style.facts}>{children}</dl>

export const DescriptionItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
