/** Codes of users that both sides share. */

/** `active`: people who work here; `devices`: accounts of devices; `no_sign_in`: people without a password; `groupless`: those in no group; `left`: those who were removed. */
export const userViews = ['active', 'devices', 'no_sign_in', 'groupless', 'left'] as const
export type UserView = (typeof userViews)[number]
