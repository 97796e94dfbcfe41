/** The user that a drawer shows, for the parts that other features add to it. */
import { createContext } from 'react'

export const ShownUser = createContext<{ user_id: number; name: string } | null>(null)
