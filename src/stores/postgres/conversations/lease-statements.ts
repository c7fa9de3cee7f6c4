import type { Statement } from '../postgres-database.ts'

/** Renews leases, places in line and claims that have not run out, and returns the tokens that are still good. $3 lease. */
export const renewTokens: Statement = {
  name: 'renew tokens',
  text: `WITH clock AS MATERIALIZED (SELECT service_clock() AS now),
leased AS (
  UPDATE leases l SET deadline = now + $3::bigint FROM clock
  WHERE l.session_id = ANY($1::text[]) AND l.token = ANY($2::text[]) AND l.deadline >= now RETURNING l.token
),
lined AS (
  UPDATE waiting w SET deadline = now + $3 FROM clock
  WHERE w.token = ANY($2) AND w.deadline >= now RETURNING w.token
),
claimed AS (
  UPDATE answers a SET deadline = now + $3 FROM clock
  WHERE a.name = ANY($4::text[]) AND a.token = ANY($2) AND a.text IS NULL
)
SELECT token FROM leased UNION ALL SELECT token FROM lined`,
}

export const findLease: Statement = {
  name: 'find lease',
  text: `SELECT FROM leases WHERE session_id = $1 AND token = $2 AND deadline >= service_clock()`,
}

const givenBack = `WITH input AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS i(id, token, name)
),
leased AS (DELETE FROM leases l USING input i WHERE l.session_id = i.id AND l.token = i.token),
lined AS (DELETE FROM waiting w USING input i WHERE w.token = i.token)`

/** Gives leases, places in line and claims back. */
export const releaseTokens: Statement = {
  name: 'release tokens',
  text: `${givenBack}
DELETE FROM answers a USING input i WHERE a.name = i.name AND a.token = i.token AND a.text IS NULL`,
}

/** Gives leases and places in line back, and leaves claims to those who repeat their requests. */
export const abandonTokens: Statement = {
  name: 'abandon tokens',
  text: `${givenBack}
UPDATE answers a SET deadline = 0 FROM input i WHERE a.name = i.name AND a.token = i.token AND a.text IS NULL`,
}
