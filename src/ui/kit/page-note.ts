/** What the frame of a page says under its title, such as who changed its settings last. */
import { createContext, type ReactNode } from 'react'

export const PageNote = createContext<ReactNode>(null)
