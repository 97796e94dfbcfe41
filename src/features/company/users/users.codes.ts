/** Codes of users that both sides share. */

/** `no_sign_in`: people without a password; `groupless`: those in no group. */
export const userViews = ['no_sign_in', 'groupless'] as const
export type UserView = (typeof userViews)[number]
