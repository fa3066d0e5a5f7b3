package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemanglerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          malloc                                                          | malloc
          _ZN7rocksdb25NewArenaWrappedDbIteratorEPNS_3EnvERKNS_11ReadOptionsE | rocksdb::NewArenaWrappedDbIterator
          _ZN7rocksdb5ArenaC2EmPNS_12AllocTrackerEm                       | rocksdb::Arena::Arena
          _ZN7rocksdb5ArenaD1Ev                                           | rocksdb::Arena::~Arena
          _Z3fooIiEvT_                                                    | foo
          _Znwm                                                           | operator new
          _ZNSt6vectorIiSaIiEE9push_backERKi                              | std::vector::push_back
          _ZNKSt8functionIFvvEEclEv                                       | std::function::operator()
          _ZN2cv3Mat6createEiPKii                                         | cv::Mat::create
          _ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc | std::__1::basic_string::append
          _ZN12_GLOBAL__N_14makeEv                                        | (anonymous)::make
          _ZN5alloc5alloc6Global10alloc_impl17h0f2c17f5f1ceee5fE          | alloc::alloc::Global::alloc_impl
          _ZN60_$LT$alloc..string..String$u20$as$u20$core..clone..Clone$GT$5clone17h5ea99bc4fcba1a0fE | <alloc::string::String as core::clone::Clone>::clone
          _RNvNtCs1234_7mycrate3foo3bar                                   | mycrate::foo::bar
          copy.part.0                                                     | copy
          _ZTV7Nothing                                                    | _ZTV7Nothing
          _ZN99999                                                        | _ZN99999
          """)
  void name_isAsPeopleWriteIt(String symbol, String expected) {
    assertThat(Demangler.name(symbol)).isEqualTo(expected);
  }
}
