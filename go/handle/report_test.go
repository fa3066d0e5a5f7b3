package handle_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"offcut.dev/go/handle"
)

// site is a line of a stack in the cases of the leak report.
func stack(frames ...string) []string { return frames }

var leakReports = map[string]handle.Snapshot{
	"count: no sites are recorded": {Level: handle.DetectCount, Types: []handle.TypeStats{
		{Name: "sqlite3_stmt", Opened: 500_000, Forgotten: 1234, Open: 7}, {Name: "image", Opened: 3}}},
	"off: says how to raise the level all the same": {Level: handle.DetectOff, Types: []handle.TypeStats{
		{Name: "sqlite3_stmt", Opened: 1, Forgotten: 1}}},
	"sample: a site was sampled": {Level: handle.DetectSample, Types: []handle.TypeStats{
		{Name: "sqlite3_stmt", Opened: 500_000, Forgotten: 1234, Open: 7, Sites: []handle.SiteStats{
			{Stack: stack("shop.Orders.find(Orders.java:31)", "shop.Checkout.pay(Checkout.java:112)"), Forgotten: 10}}}}},
	"sample: none of the forgotten was sampled": {Level: handle.DetectSample, Types: []handle.TypeStats{
		{Name: "sqlite3_stmt", Opened: 300, Forgotten: 3}}},
	"full: the sites with the most forgotten, five at most; the worst type first": {Level: handle.DetectFull,
		Types: []handle.TypeStats{
			{Name: "sqlite3", Opened: 2, Forgotten: 1, Open: 1, Sites: []handle.SiteStats{
				{Stack: stack("shop.Orders.connect(Orders.java:20)"), Forgotten: 1}}},
			{Name: "image", Opened: 2100, Forgotten: 2021, Sites: []handle.SiteStats{
				{Stack: stack("shop.Site6.open(Site6.java:6)"), Forgotten: 2000},
				{Stack: stack("shop.Site5.open(Site5.java:5)"), Forgotten: 6},
				{Stack: stack("shop.Site4.open(Site4.java:4)"), Forgotten: 5},
				{Stack: stack("shop.Site3.open(Site3.java:3)"), Forgotten: 4},
				{Stack: stack("shop.Site2.open(Site2.java:2)"), Forgotten: 3},
				{Stack: stack("shop.Site1.open(Site1.java:1)"), Forgotten: 2},
				{Stack: stack("shop.Site0.open(Site0.java:0)"), Forgotten: 1}}}}},
	"nothing was forgotten: no text": {Level: handle.DetectCount, Types: []handle.TypeStats{{Name: "image", Opened: 3}}},
}

// The wording is common to the languages, but for what a programmer of each can do: how to close, where to set the level.
var inGo = strings.NewReplacer(
	"close each in try-with-resources", "defer each Close",
	"-Doffcut.handle.detection=", "OFFCUT_HANDLE_DETECTION"+"=")

func TestLeakReport_wording(t *testing.T) {
	texts := map[string]string{}
	for name, snapshot := range leakReports {
		texts[name] = snapshot.LeakReport()
	}
	compare(t, texts, "leak-report.txt")
}

func TestExitReport_wording(t *testing.T) {
	some := handle.Snapshot{Level: handle.DetectFull, Types: []handle.TypeStats{
		{Name: "image", Opened: 2000, Open: 8, Sites: []handle.SiteStats{
			{Stack: stack("shop.Site4.open(Site4.java:4)"), Open: 1}, {Stack: stack("shop.Site5.open(Site5.java:5)"), Open: 3}}},
		{Name: "sqlite3", Opened: 3, Open: 1},
		{Name: "sqlite3_stmt", Opened: 500_000, Forgotten: 1234, Sites: []handle.SiteStats{
			{Stack: stack("shop.Orders.find(Orders.java:31)"), Forgotten: 1234}}}}}
	none := handle.Snapshot{Level: handle.DetectCount}
	compare(t, map[string]string{
		"the net came to rest":         handle.ExitReportOf(some, 5*time.Second, true),
		"the net did not come to rest": handle.ExitReportOf(none, 5*time.Second, false),
	}, "exit-report.txt")
}

// compare compares texts, by the name of their case, with a file of wordings.
func compare(t *testing.T, texts map[string]string, file string) {
	specified, err := os.ReadFile("../../spec/" + file)
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split("\n"+string(specified), "\n== ")[1:]
	for _, c := range cases {
		name, want, _ := strings.Cut(c, "\n")
		got, ok := texts[name]
		if !ok {
			t.Errorf("no text for the case %q", name)
			continue
		}
		want = inGo.Replace(strings.TrimSpace(want))
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
	if len(cases) != len(texts) {
		t.Errorf("%d cases, %d texts", len(cases), len(texts))
	}
}

func TestExitReport_namesWhatIsLeft(t *testing.T) {
	atLevel(t, handle.DetectFull)
	typ, _ := ids(t, handle.Options{})
	kept := typ.Open(1)
	typ.Open(2)
	text := handle.ExitReport(drainLimit)
	for _, want := range []string{
		"offcut: handles at exit: ", "still open   level=full\n",
		"FORGOTTEN  type=" + t.Name() + "  1 of 2 opened",
		"OPEN  type=" + t.Name() + "  1 open of 2 opened: reachable, and not closed\n  opened at  ",
		"TestExitReport_namesWhatIsLeft", "  note       resources without a handle are not included\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	_ = kept.Close()
	var q handle.Queue
	held, _ := ids(t, handle.Options{ReleaseOn: &q})
	held.Open(3)
	if text := handle.ExitReport(10 * time.Millisecond); !strings.Contains(text, "the safety net had not finished after 0.01 s") {
		t.Errorf("it says that it saw all:\n%s", text)
	}
	for range 20 {
		if q.Release(); handle.Drain(10 * time.Millisecond) {
			break
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := handle.Grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
