-- Rows that the build before wrote, whose times are some fifty years away: a turn under way holds the session "running", and another
-- one of the same process waits behind it.
INSERT INTO public.answers (name, session_id, fingerprint, token, deadline, expires, text) VALUES ('s1 k1', 's1', 'f1', NULL, 0, 3372381321302, '{"said":"Zoë"}');
INSERT INTO public.answers (name, session_id, fingerprint, token, deadline, expires, text) VALUES ('running k2', 'running', 'f2', 'before.3', 3372381321397, 3372381321397, NULL);
INSERT INTO public.answers (name, session_id, fingerprint, token, deadline, expires, text) VALUES ('running k3', 'running', 'f3', 'before.4', 3372381321405, 3372381321405, NULL);
INSERT INTO public.gone_sessions (id_hash, is_erased, until) VALUES ('\x1dd9fb612aac31eccdb1690a1ce14107cc79e9c70e2fc1485bf238b026c4f8dc', true, 4949181321374);
INSERT INTO public.leases (session_id, token, deadline) VALUES ('running', 'before.3', 3372381321397);
INSERT INTO public.result_turns (result, number, key, line) OVERRIDING SYSTEM VALUE VALUES (1, 1, NULL, '
[1,1795252621712,"s1",true,null,null,[{"blockId":"b1","content":"first"}]]');
INSERT INTO public.result_turns (result, number, key, line) OVERRIDING SYSTEM VALUE VALUES (1, 2, NULL, '
[1,1795252621712,"s1",true,null,null,[{"blockId":"b1","content":"second"}]]');
INSERT INTO public.result_turns (result, number, key, line) OVERRIDING SYSTEM VALUE VALUES (1, 3, 'logs log-1', '
[1,1795252621712,null,null,null,null,null,null,[{"status":"error","description":"broken"}]]');
INSERT INTO public.results (number, flow_id, id, created_at, changed_at, size, room, is_erased, base) OVERRIDING SYSTEM VALUE VALUES (1, 'flow-1', 'r1', 1795252621712, 1795579200000, 243, 3853, false, NULL);
INSERT INTO public.sessions (id, is_preview, revision, expires, has_turns, payload_number, payload, text) VALUES ('s1', false, 2, 3438081321249, true, 1, '{"paid":true}', '[1,2,"s1","live","waiting",1795252621712,2,[["hash-2","flow-2",[],[],null,null,null,true,null,null,true],["hash-1","flow-1",[["v1","Zoë \"Ω\" 🙂  "],["v2",["a",null,""]],["__proto__",null]],[["Name","Zoë"]],"r1",{"blockId":"b2","groupId":"g1"},true,null,[["Name","x"]],["v1"]]],"welcome",{"blockId":"b1"},false,true,["User: \"hi\""],[{"height":0,"blockId":"b3","reply":{"type":"text","text":""}}],1,{"flowId":"flow-1","id":"r1"},true,null,null,true,{"blockId":"pay","intentId":"pi_1","clientSecret":"pi_1_secret","publicKey":"pk_1","amount":1250,"currency":"eur","success":"Thank you","resultId":"r1","isPaid":true},{"turns":7,"kept":[{"turn":7,"entry":"continue","flow":{"id":"flow-1","hash":"hash-1"},"startedAt":"2026-11-21T09:17:01.712Z","engineMs":0.5,"wallMs":12,"came":[],"steps":[]}]},{"rules":{"http":[{"match":{"url":"https://a.example/*"},"reply":{"json":{"a":1}}}],"clock":"2026-11-21"},"used":[["http/0",2]],"drawn":3,"ids":1,"advancedMs":60000},{"start":{"program":"hash-1","flowId":"flow-1","isProgressTracked":false,"areResultsRead":true,"limits":{"blocksPerTurn":1000,"messagesPerTurn":500,"charactersPerTurn":8388608,"linkDepth":50,"returnMarks":100,"variableLength":65536,"variablesLength":1048576,"blockMs":1000,"turnMs":10000,"replyLength":16384,"wholeTurnMs":60000,"callsPerTurn":20,"codeTurnMs":3000}},"turns":[{"entry":"start","request":{"message":"hi"},"effects":[{"type":"now","key":"k","answer":5,"blocks":0}],"blocks":["b1"],"response":"{\"messages\":[]}","left":"hash-of-state"}],"isCut":true}]');
INSERT INTO public.sessions (id, is_preview, revision, expires, has_turns, payload_number, payload, text) VALUES ('s2', true, 1, 3438081321333, false, 0, NULL, '[1,1,"s2","preview","ended",0,0,[]]');
INSERT INTO public.sessions (id, is_preview, revision, expires, has_turns, payload_number, payload, text) VALUES ('running', false, 1, 3438081321341, false, 0, NULL, '[1,1,"running","live","waiting",0,0,[]]');
INSERT INTO public.waiting (ticket, session_id, token, deadline) OVERRIDING SYSTEM VALUE VALUES (1, 'running', 'before.4', 3372381321405);
SELECT pg_catalog.setval('public.result_turns_number_seq', 3, true);
SELECT pg_catalog.setval('public.results_number_seq', 2, true);
SELECT pg_catalog.setval('public.waiting_ticket_seq', 1, true);
