/** A row of a table as a card, where the space is too narrow for columns. */
import type { ReactNode } from 'react'
import style from './RowCard.module.css'

export const RowCard = ({ children }: { children: ReactNode }) => <div className={style.card}>{children}</div>

/** What belongs side by side: the name to the left, how it stands to the right. */
export const RowCardLine = ({ children }: { children: ReactNode }) => <div className={style.line}>{children}</div>
