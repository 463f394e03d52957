"""Tables of the store. Events and bodies are the truth; the rest is rebuilt from them.

Every projection row holds an interval of sequence numbers, [from_seq, to_seq): *as of* is a WHERE clause.
A memory's `mid` is the sequence number of the event that brought it in.
"""

from __future__ import annotations

VERSION = 2
APPLICATION_ID = 0x54555231  # "TUR1"
OPEN = 2**62
"""`to_seq` of what holds still."""

META = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

TRUTH = f"""{META}
CREATE TABLE events(
    seq INTEGER PRIMARY KEY, at TEXT NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL, json BLOB NOT NULL,
    hash BLOB NOT NULL);
CREATE INDEX events_kind ON events(kind);
CREATE TABLE bodies(ref BLOB PRIMARY KEY, salt BLOB, body BLOB, redacted_seq INTEGER) WITHOUT ROWID;
"""

PROJECTIONS = """
CREATE TABLE memories(
    mid INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, type TEXT NOT NULL, content_key BLOB NOT NULL,
    scope_id INTEGER NOT NULL, topic_key BLOB NOT NULL, embedding_ref BLOB);
CREATE INDEX memories_key ON memories(content_key);
CREATE INDEX memories_topic ON memories(topic_key) WHERE topic_key <> x'';
CREATE TABLE scopes(scope_id INTEGER PRIMARY KEY, scope TEXT NOT NULL UNIQUE);
CREATE TABLE standing(
    mid INTEGER NOT NULL, status TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX standing_mid ON standing(mid, to_seq);
CREATE INDEX standing_status ON standing(to_seq, status, mid);
CREATE TABLE suspicions(
    mid INTEGER NOT NULL, cause INTEGER NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX suspicions_mid ON suspicions(mid, to_seq);
CREATE TABLE narrowings(
    mid INTEGER NOT NULL, scope_id INTEGER NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX narrowings_mid ON narrowings(mid, to_seq);
CREATE TABLE edges(
    source INTEGER NOT NULL, target INTEGER NOT NULL, type TEXT NOT NULL, from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL);
CREATE INDEX edges_source ON edges(source, to_seq);
CREATE INDEX edges_target ON edges(target, to_seq);
CREATE TABLE conflicts(
    cid TEXT PRIMARY KEY, incumbent INTEGER NOT NULL, challenger INTEGER NOT NULL, seq INTEGER NOT NULL,
    reopens TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX conflicts_incumbent ON conflicts(incumbent);
CREATE INDEX conflicts_challenger ON conflicts(challenger);
CREATE TABLE conflict_states(
    cid TEXT NOT NULL, state TEXT NOT NULL, by_seq INTEGER NOT NULL, verb TEXT NOT NULL, from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL);
CREATE INDEX conflict_states_cid ON conflict_states(cid, to_seq);
CREATE INDEX conflict_states_state ON conflict_states(to_seq, state, cid);
CREATE TABLE approvals(mid INTEGER NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX approvals_mid ON approvals(mid, to_seq);
CREATE TABLE proposals(
    proposal TEXT PRIMARY KEY, kind TEXT NOT NULL, mid INTEGER NOT NULL, seq INTEGER NOT NULL, replaces TEXT NOT NULL,
    promotes TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE proposal_states(
    proposal TEXT NOT NULL, state TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX proposal_states_proposal ON proposal_states(proposal, to_seq);
CREATE INDEX proposal_states_state ON proposal_states(to_seq, state, proposal);
CREATE TABLE reviewer_keys(
    key TEXT NOT NULL, public TEXT NOT NULL, name TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE TABLE policies(quorum TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE TABLE quarantines(author TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL);
CREATE INDEX quarantines_author ON quarantines(author, to_seq);
CREATE TABLE mentions(subject TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(subject, seq)) WITHOUT ROWID;
CREATE TABLE undoings(target INTEGER NOT NULL, seq INTEGER PRIMARY KEY);
CREATE INDEX undoings_target ON undoings(target);
"""

WORDS = """
CREATE VIRTUAL TABLE words USING fts5(
    tokens, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '#+.,:''-_/'");
INSERT INTO words(words, rank) VALUES('secure-delete', 1);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
CREATE VIRTUAL TABLE places USING fts5vocab(words, 'instance');
"""

VECTORS = """
CREATE VIRTUAL TABLE vectors USING vec0(mid INTEGER PRIMARY KEY, embedding bit[384], probed INTEGER, scope_id INTEGER);
"""

SEARCH = WORDS + VECTORS

PROJECTION_TABLES = (
    "memories", "scopes", "standing", "suspicions", "narrowings", "edges", "conflicts", "conflict_states",
    "approvals", "proposals", "proposal_states", "reviewer_keys", "policies", "quarantines", "mentions", "undoings",
)  # fmt: skip
WITHOUT_ROWID = ("conflicts", "proposals", "mentions")
SEARCH_TABLES = ("places", "vocabulary", "words", "vectors")
